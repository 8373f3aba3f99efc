/** A column that a list leaves out where the others would be cramped; what matters of it stands elsewhere then. */
export const whereWide = "narrow:hidden @max-[56rem]:hidden";
