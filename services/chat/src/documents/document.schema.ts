import type { Document, DocumentId, OrgId } from '@parley/contracts';
import { Schema } from 'mongoose';

export type DocumentRow = {
  _id: DocumentId;
  orgId: OrgId;
  name: string;
  nameKeys: string[];
  mediaType: Document['mediaType'];
  bytes: number;
  status: Document['status'];
  failure: Document['failure'];
  passageCount: number;
  uploadedBy: string;
  createdAt: Date;
  indexedAt: Date | null;
  isDeleted: boolean;
  deletedAt: Date | null;
  /** The reader that has it; free again after this moment. */
  leaseUntil: Date | null;
  version: number;
};
export const documentSchema = new Schema<DocumentRow>(
  {
    _id: String,
    orgId: String,
    name: String,
    nameKeys: [String],
    mediaType: String,
    bytes: Number,
    status: String,
    failure: { type: String, default: null },
    passageCount: Number,
    uploadedBy: String,
    createdAt: Date,
    indexedAt: { type: Date, default: null },
    isDeleted: Boolean,
    deletedAt: { type: Date, default: null },
    leaseUntil: { type: Date, default: null },
    version: Number,
  },
  { collection: 'documents', versionKey: false },
);
documentSchema.index({ orgId: 1, isDeleted: 1, status: 1, _id: -1 });
documentSchema.index({ orgId: 1, isDeleted: 1, _id: -1 });
documentSchema.index({ nameKeys: 1 });
documentSchema.index({ status: 1, leaseUntil: 1 });
documentSchema.index({ isDeleted: 1, deletedAt: 1 });
