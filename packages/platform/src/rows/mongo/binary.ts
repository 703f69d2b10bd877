import { mongo } from 'mongoose';
import { z } from 'zod';

/** Bytes in a row. */
export const binary = z.instanceof(mongo.Binary);
export type Binary = z.output<typeof binary>;

/** Bytes as a row keeps them. */
export const toBinary = (bytes: Uint8Array): Binary => new mongo.Binary(bytes);
