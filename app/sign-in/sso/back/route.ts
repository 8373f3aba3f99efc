import { joinBySso } from "#lib/person/join-by-sso";
import { finishSso } from "#lib/person/sso/sso-routes";

export const GET = (request: Request): Promise<Response> => finishSso(request, { join: joinBySso });
