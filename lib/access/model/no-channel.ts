/** The id no channel has: under it calls are counted whose key no channel has, and it is looked for where there is no key. */
export const noChannel = "00000000-0000-0000-0000-000000000000";
