import { startSso } from "#lib/auth/sso-routes";

export { startSso as POST };
