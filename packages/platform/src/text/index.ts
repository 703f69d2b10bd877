export * from './search-keys.ts';
export * from './tokenise.ts';
export * from './names.ts';
