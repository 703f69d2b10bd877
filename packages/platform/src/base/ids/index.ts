export * from './ids.ts';
export * from './random-part.ts';
