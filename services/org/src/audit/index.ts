import { listAudit, noteDenials } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { rightsFeature } from '../rights/index.ts';
import { AnswerActsConsumer } from './answer-acts.consumer.ts';
import { AuditLog } from './audit-log.ts';
import { ConnectionActsConsumer } from './connection-acts.consumer.ts';
import { FeedbackActsConsumer } from './feedback-acts.consumer.ts';
import { KeyActsConsumer } from './key-acts.consumer.ts';
import { NameActsConsumer } from './name-acts.consumer.ts';
import { OrderActsConsumer } from './order-acts.consumer.ts';
import { ProviderActsConsumer } from './provider-acts.consumer.ts';
import { ReplayActsConsumer } from './replay-acts.consumer.ts';
import { SignInActsConsumer } from './sign-in-acts.consumer.ts';
import { ChatbotActsConsumer } from './chatbot-acts.consumer.ts';
import { WebhookActsConsumer } from './webhook-acts.consumer.ts';

export const auditFeature = feature({
  routes: { list: listAudit, noteDenials },
  handlers: AuditLog,
  consumers: [
    AnswerActsConsumer,
    ConnectionActsConsumer,
    FeedbackActsConsumer,
    KeyActsConsumer,
    NameActsConsumer,
    OrderActsConsumer,
    ProviderActsConsumer,
    ReplayActsConsumer,
    SignInActsConsumer,
    ChatbotActsConsumer,
    WebhookActsConsumer,
  ],
  imports: [rightsFeature],
  exports: [AuditLog],
});

export { AuditLog, type Audited } from './audit-log.ts';
