export * from './tokenise.ts';
