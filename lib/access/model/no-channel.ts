/**
 * An id that no channel has. Calls with an unknown key are counted under it, and a call without a key is looked up by
 * it.
 */
export const noChannel = "00000000-0000-0000-0000-000000000000";
