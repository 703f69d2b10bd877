import type { ChunkId, DocumentId, OrgId } from '@parley/contracts';
import { Schema } from 'mongoose';

export type ChunkRow = {
  _id: ChunkId;
  orgId: OrgId;
  documentId: DocumentId;
  documentName: string;
  index: number;
  heading: string | null;
  text: string;
  /** `<organisation>|<term>`: who may read is part of the key. */
  searchKeys: string[];
  isHidden: boolean;
  createdAt: Date;
};
export const chunkSchema = new Schema<ChunkRow>(
  {
    _id: String,
    orgId: String,
    documentId: String,
    documentName: String,
    index: Number,
    heading: { type: String, default: null },
    text: String,
    searchKeys: [String],
    isHidden: Boolean,
    createdAt: Date,
  },
  { collection: 'chunks', versionKey: false },
);
chunkSchema.index({ searchKeys: 1, createdAt: -1 });
chunkSchema.index({ documentId: 1, index: 1 });
chunkSchema.index({ orgId: 1 });
