export * from './image.ts';
export * from './office.ts';
export * from './pdf.ts';
