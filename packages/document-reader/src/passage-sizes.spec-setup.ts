/** As long as Parley's passages are. */
export const sizes = { text: 900, heading: 300 };
