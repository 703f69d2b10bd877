import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  testWebhook,
} from '@parley/contracts';
import { feature, runBy } from '@parley/platform/service';
import { eventStreamFeature } from '../event-stream/index.ts';
import { tellWebhook } from './webhook-job.ts';
import { WebhookSender } from './webhook-sender.ts';
import { WebhookWorker } from './webhook-worker.ts';
import { WebhooksRepository } from './webhooks.repository.ts';
import { WebhooksService } from './webhooks.service.ts';

export { webhooksToJobs } from './webhook-job.ts';
export { webhookQuota } from './webhook-quota.ts';

export const webhooksFeature = feature({
  routes: {
    list: listWebhooks,
    create: createWebhook,
    change: changeWebhook,
    delete: deleteWebhook,
    test: testWebhook,
    deliveries: listDeliveries,
    redeliver,
  },
  handlers: WebhooksService,
  jobs: [runBy(tellWebhook, WebhookWorker)],
  providers: [WebhooksRepository, WebhookSender],
  imports: [eventStreamFeature],
});
