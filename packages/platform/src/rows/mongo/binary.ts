import { mongo } from 'mongoose';
import { z } from 'zod';

/** Bytes in a row. */
export const binary = z.instanceof(mongo.Binary);
export type Binary = z.output<typeof binary>;

/** Returns bytes in the form of rows. */
export const toBinary = (bytes: Uint8Array): Binary => new mongo.Binary(bytes);
