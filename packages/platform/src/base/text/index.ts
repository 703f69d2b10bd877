export * from './search-keys.ts';
export * from './words.ts';
export * from './tokenise.ts';
export * from './names.ts';
