/**
 * How somebody verifies their identity again: with a password alone, through the provider, with a code, or with a
 * passkey or a code.
 */
export type ProofKind = "password" | "provider" | "code" | "passkey";
