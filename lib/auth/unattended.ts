/**
 * The cookie a page sets while it draws itself anew without anybody asking: such
 * a request keeps no session alive. Whoever sets it otherwise shortens their own.
 */
export const unattendedCookie = "unattended";
