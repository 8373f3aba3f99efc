import { nextAuthRoute } from "#lib/person/session/next-auth-route";

export { nextAuthRoute as GET, nextAuthRoute as POST };
