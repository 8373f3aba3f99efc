import { backFromSso } from "#lib/auth/sso-routes";

export { backFromSso as GET };
