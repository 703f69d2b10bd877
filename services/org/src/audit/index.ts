import { listAudit, noteDenials } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { rightsFeature } from '../rights/index.ts';
import { AuditAppender } from './audit-appender.ts';
import { AuditConsumer } from './audit.consumer.ts';
import { AuditLog } from './audit-log.ts';
import { AuditNames } from './audit-names.ts';

export { auditWords } from './audit-words.ts';
export { auditRows } from './audit.collection.ts';

export const auditFeature = feature({
  routes: { list: listAudit, noteDenials },
  handlers: AuditLog,
  consumers: [AuditConsumer],
  providers: [AuditAppender, AuditNames],
  imports: [rightsFeature],
});
