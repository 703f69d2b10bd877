export function blockFault(block: { readonly info: string; readonly text: string }): string | null;
