import { startSso } from "#lib/person/sso/sso-routes";

export { startSso as POST };
