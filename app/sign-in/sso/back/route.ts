import { joinBySso } from "#lib/person/join-by-sso";
import { backFromSso } from "#lib/person/sso/sso-routes";

export const GET = (request: Request): Promise<Response> => backFromSso(request, { join: joinBySso });
