export * from './office.ts';
export * from './pdf.ts';
