/** The sizes that chat uses. */
export const sizes = { text: 900, heading: 300 };
