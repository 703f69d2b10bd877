/** The signed-in part is one chunk of its own; the visitor pages never load it. */
export const loadSignedIn = () => import('./signed-in.tsx');
