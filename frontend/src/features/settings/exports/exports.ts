import type { ChatExport, ExportId } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { followDownload } from '../../../lib/download.ts';

export const isPending = ({ status }: ChatExport): boolean => status === 'waiting' || status === 'writing';

/** The browser saves it as it comes: it can be larger than its memory. */
export const saveExport = (orgId: OrgId, exportId: ExportId): void =>
  followDownload('GET /api/chat/exports/:exportId/content', { orgId, params: { exportId }, query: { org: orgId } });
