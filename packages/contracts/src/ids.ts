import { z } from 'zod';
import { idPrefixes, type IdKind } from './names.ts';

/**
 * The ids of one kind: prefixed ULIDs such as `org_01J…`, which sort by creation time. Creates carry an id that the
 * client made.
 */
export function idOf<Kind extends IdKind>(kind: Kind) {
  const prefix = idPrefixes[kind];
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`), `must be a ${prefix}_ id`)
    .brand<Kind>();
}
/**
 * The id of a thing that a client creates: a ULID of the years 2004 to 2109. The server also derives ids from other ids.
 * Anyone who knows those can compute them, so most derived ids don't fit here, and the platform's `apartFromClients`
 * moves the rest away.
 */
export function clientIdOf<Kind extends IdKind>(kind: Kind) {
  const prefix = idPrefixes[kind];
  return z
    .string()
    .regex(
      new RegExp(`^${prefix}_0[1-3][0-9A-HJKMNP-TV-Z]{24}$`),
      `must be a ${prefix}_ id, a ULID with the time of now`,
    )
    .brand<Kind>();
}
/** The branded type of each kind, for id factories. */
export type IdOf = { readonly [Kind in IdKind]: z.infer<ReturnType<typeof idOf<Kind>>> };

export const userId = idOf('user');
export const pictureId = idOf('picture');
export const recoveryId = idOf('recovery');
export const mailId = idOf('mail');
export const securityEntryId = idOf('securityEntry');
export const apiKeyId = idOf('apiKey');
export const orgId = idOf('organisation');
export const roleId = idOf('role');
export const groupId = idOf('group');
export const invitationId = idOf('invitation');
export const accessEndId = idOf('accessEnd');
export const auditEntryId = idOf('auditEntry');
export const conversationId = idOf('conversation');
export const messageId = idOf('message');
export const generationId = idOf('generation');
export const providerId = idOf('provider');
export const chatbotId = idOf('chatbot');
export const connectionId = idOf('connection');
export const trialId = idOf('trial');
export const completionId = idOf('completion');
export const chatbotTestId = idOf('chatbotTest');
export const testRunId = idOf('testRun');
export const documentId = idOf('document');
export const chunkId = idOf('chunk');
export const eventId = idOf('event');
export const ledgerEntryId = idOf('ledgerEntry');
export const rateId = idOf('rate');
export const orderId = idOf('order');
export const invoiceId = idOf('invoice');
export const paymentId = idOf('payment');
export const budgetId = idOf('budget');
export const reservationId = idOf('reservation');
export const webhookId = idOf('webhook');
export const errorTestId = idOf('errorTest');
export const nameRevealId = idOf('nameReveal');
export const feedbackId = idOf('feedback');
export const curatedAnswerId = idOf('curatedAnswer');
export const embeddingId = idOf('embedding');
export const fileId = idOf('file');
export const exportId = idOf('export');
export const importId = idOf('import');

export type UserId = IdOf['user'];
export type PictureId = IdOf['picture'];
export type RecoveryId = IdOf['recovery'];
export type MailId = IdOf['mail'];
export type SecurityEntryId = IdOf['securityEntry'];
export type ApiKeyId = IdOf['apiKey'];
export type OrgId = IdOf['organisation'];
export type RoleId = IdOf['role'];
export type GroupId = IdOf['group'];
export type InvitationId = IdOf['invitation'];
export type AccessEndId = IdOf['accessEnd'];
export type AuditEntryId = IdOf['auditEntry'];
export type ConversationId = IdOf['conversation'];
export type MessageId = IdOf['message'];
export type GenerationId = IdOf['generation'];
export type ProviderId = IdOf['provider'];
export type ChatbotId = IdOf['chatbot'];
export type ConnectionId = IdOf['connection'];
export type TrialId = IdOf['trial'];
export type ChatbotTestId = IdOf['chatbotTest'];
export type TestRunId = IdOf['testRun'];
export type CompletionId = IdOf['completion'];
export type DocumentId = IdOf['document'];
export type ChunkId = IdOf['chunk'];
export type EventId = IdOf['event'];
export type LedgerEntryId = IdOf['ledgerEntry'];
export type RateId = IdOf['rate'];
export type OrderId = IdOf['order'];
export type InvoiceId = IdOf['invoice'];
export type PaymentId = IdOf['payment'];
export type BudgetId = IdOf['budget'];
export type WebhookId = IdOf['webhook'];
export type ErrorTestId = IdOf['errorTest'];
export type NameRevealId = IdOf['nameReveal'];
export type FeedbackId = IdOf['feedback'];
export type CuratedAnswerId = IdOf['curatedAnswer'];
export type EmbeddingId = IdOf['embedding'];
export type FileId = IdOf['file'];
export type ExportId = IdOf['export'];
export type ImportId = IdOf['import'];
