import { joinBySso } from "#lib/admin/join-by-sso";
import { backFromSso } from "#lib/auth/sso-routes";

export const GET = (request: Request): Promise<Response> => backFromSso(request, { join: joinBySso });
