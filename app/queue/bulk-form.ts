/** The form that the boxes on the rows belong to. */
export const formId = "bulk";
