import { listAudit } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { AuditLog } from './audit-log.ts';

export const auditFeature = feature({ routes: { list: listAudit }, handlers: AuditLog, exports: [AuditLog] });

export { AuditLog, type Audited } from './audit-log.ts';
