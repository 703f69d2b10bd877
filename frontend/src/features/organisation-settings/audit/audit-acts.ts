import type { AuditAct } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';

/** What each act of the audit log is called; one without words does not compile. */
export function useAuditActs(): Record<AuditAct, string> {
  const { t } = useText();
  return {
    ...organisationActs(t),
    'member.invited': t({ id: 'organisation.auditAct.member.invited', defaultMessage: 'Person invited' }),
    'invitation.link-made': t({
      id: 'organisation.auditAct.invitation.link-made',
      defaultMessage: 'Invitation link created',
    }),
    'invitation.link-replaced': t({
      id: 'organisation.auditAct.invitation.link-replaced',
      defaultMessage: 'Invitation link replaced',
    }),
    'invitation.resent': t({ id: 'organisation.auditAct.invitation.resent', defaultMessage: 'Invitation resent' }),
    'invitation.revoked': t({ id: 'organisation.auditAct.invitation.revoked', defaultMessage: 'Invitation revoked' }),
    'member.joined': t({ id: 'organisation.auditAct.member.joined', defaultMessage: 'Person joined' }),
    'member.role-changed': t({ id: 'organisation.auditAct.member.role-changed', defaultMessage: 'Role changed' }),
    'member.suspended': t({ id: 'organisation.auditAct.member.suspended', defaultMessage: 'Person suspended' }),
    'member.restored': t({ id: 'organisation.auditAct.member.restored', defaultMessage: 'Person reactivated' }),
    'member.groups-changed': t({ id: 'organisation.auditAct.member.groups-changed', defaultMessage: 'Groups changed' }),
    'member.access-ended': t({ id: 'organisation.auditAct.member.access-ended', defaultMessage: 'Access revoked' }),
    'member.removed': t({ id: 'organisation.auditAct.member.removed', defaultMessage: 'Person removed' }),
    'member.left': t({ id: 'organisation.auditAct.member.left', defaultMessage: 'Person left' }),
    'ownership.transferred': t({
      id: 'organisation.auditAct.ownership.transferred',
      defaultMessage: 'Ownership transferred',
    }),
    'role.created': t({ id: 'organisation.auditAct.role.created', defaultMessage: 'Role created' }),
    'role.updated': t({ id: 'organisation.auditAct.role.updated', defaultMessage: 'Role permissions changed' }),
    'role.deleted': t({ id: 'organisation.auditAct.role.deleted', defaultMessage: 'Role deleted' }),
    'group.created': t({ id: 'organisation.auditAct.group.created', defaultMessage: 'Group created' }),
    'group.renamed': t({ id: 'organisation.auditAct.group.renamed', defaultMessage: 'Group renamed' }),
    'group.deleted': t({ id: 'organisation.auditAct.group.deleted', defaultMessage: 'Group deleted' }),
    'api-key.created': t({ id: 'organisation.auditAct.api-key.created', defaultMessage: 'API key created' }),
    'api-key.revoked': t({ id: 'organisation.auditAct.api-key.revoked', defaultMessage: 'API key revoked' }),
    'access.denied': t({ id: 'organisation.auditAct.access.denied', defaultMessage: 'Access refused' }),
    'invitation.link-shown': t({
      id: 'organisation.auditAct.invitation.link-shown',
      defaultMessage: 'Invitation link shown',
    }),
    'provider.added': t({ id: 'organisation.auditAct.provider.added', defaultMessage: 'Provider added' }),
    'provider.changed': t({ id: 'organisation.auditAct.provider.changed', defaultMessage: 'Provider changed' }),
    'name.revealed': t({ id: 'organisation.auditAct.name.revealed', defaultMessage: 'Name revealed' }),
    'answer.stopped': t({ id: 'organisation.auditAct.answer.stopped', defaultMessage: 'Answer stopped' }),
    'webhook.created': t({ id: 'organisation.auditAct.webhook.created', defaultMessage: 'Webhook created' }),
    'webhook.changed': t({ id: 'organisation.auditAct.webhook.changed', defaultMessage: 'Webhook changed' }),
    'webhook.deleted': t({ id: 'organisation.auditAct.webhook.deleted', defaultMessage: 'Webhook deleted' }),
    'budget.created': t({ id: 'organisation.auditAct.budget.created', defaultMessage: 'Budget created' }),
    'budget.changed': t({ id: 'organisation.auditAct.budget.changed', defaultMessage: 'Budget changed' }),
    'budget.deleted': t({ id: 'organisation.auditAct.budget.deleted', defaultMessage: 'Budget deleted' }),
    'order.placed': t({ id: 'organisation.auditAct.order.placed', defaultMessage: 'Order placed' }),
    'order.confirmed': t({ id: 'organisation.auditAct.order.confirmed', defaultMessage: 'Order confirmed' }),
    'order.refused': t({ id: 'organisation.auditAct.order.refused', defaultMessage: 'Order refused' }),
    'order.withdrawn': t({ id: 'organisation.auditAct.order.withdrawn', defaultMessage: 'Order withdrawn' }),
    'invoice.issued': t({ id: 'organisation.auditAct.invoice.issued', defaultMessage: 'Invoice issued' }),
    'payment.recorded': t({ id: 'organisation.auditAct.payment.recorded', defaultMessage: 'Payment recorded' }),
    'events.replayed': t({ id: 'organisation.auditAct.events.replayed', defaultMessage: 'Dead letters replayed' }),
    'provider.removed': t({ id: 'organisation.auditAct.provider.removed', defaultMessage: 'Provider removed' }),
  };
}

function documentActs(t: ReturnType<typeof useText>['t']) {
  return {
    'documents.uploaded': t({ id: 'organisation.auditAct.documents.uploaded', defaultMessage: 'Documents uploaded' }),
    'documents.replaced': t({ id: 'organisation.auditAct.documents.replaced', defaultMessage: 'Documents replaced' }),
    'documents.deleted': t({ id: 'organisation.auditAct.documents.deleted', defaultMessage: 'Documents deleted' }),
    'documents.restored': t({ id: 'organisation.auditAct.documents.restored', defaultMessage: 'Documents restored' }),
    'documents.erased': t({
      id: 'organisation.auditAct.documents.erased',
      defaultMessage: 'Documents erased for good',
    }),
  };
}

function platformActs(t: ReturnType<typeof useText>['t']) {
  return {
    'jobs.restarted': t({ id: 'organisation.auditAct.jobs.restarted', defaultMessage: 'Parked jobs run again' }),
    'price.set': t({ id: 'organisation.auditAct.price.set', defaultMessage: 'Price set' }),
    'price.ended': t({ id: 'organisation.auditAct.price.ended', defaultMessage: 'Price ended' }),
    'prices.imported': t({ id: 'organisation.auditAct.prices.imported', defaultMessage: 'Prices imported' }),
    'address.allowed': t({ id: 'organisation.auditAct.address.allowed', defaultMessage: 'Address allowed' }),
    'limit.changed': t({ id: 'organisation.auditAct.limit.changed', defaultMessage: 'Limit changed' }),
    'address.revoked': t({ id: 'organisation.auditAct.address.revoked', defaultMessage: 'Allowed address revoked' }),
  };
}

function feedbackActs(t: ReturnType<typeof useText>['t']) {
  return {
    'feedback.state-changed': t({
      id: 'organisation.auditAct.feedback.state-changed',
      defaultMessage: 'Feedback status changed',
    }),
    'feedback.answered': t({ id: 'organisation.auditAct.feedback.answered', defaultMessage: 'Feedback answered' }),
    'feedback.messages-read': t({
      id: 'organisation.auditAct.feedback.messages-read',
      defaultMessage: 'Messages shared with feedback read',
    }),
    'curated-answer.created': t({
      id: 'organisation.auditAct.curated-answer.created',
      defaultMessage: 'Curated answer created',
    }),
    'curated-answer.changed': t({
      id: 'organisation.auditAct.curated-answer.changed',
      defaultMessage: 'Curated answer changed',
    }),
    'curated-answer.deleted': t({
      id: 'organisation.auditAct.curated-answer.deleted',
      defaultMessage: 'Curated answer deleted',
    }),
  };
}

function connectionActs(t: ReturnType<typeof useText>['t']) {
  return {
    'connection.created': t({
      id: 'organisation.auditAct.connection.created',
      defaultMessage: 'Data connection created',
    }),
    'connection.changed': t({
      id: 'organisation.auditAct.connection.changed',
      defaultMessage: 'Data connection changed',
    }),
    'connection.deleted': t({
      id: 'organisation.auditAct.connection.deleted',
      defaultMessage: 'Data connection deleted',
    }),
    ...documentActs(t),
    'search.tested-as': t({
      id: 'organisation.auditAct.search.tested-as',
      defaultMessage: 'Search tested as this person',
    }),
    'titles.turned-on': t({
      id: 'organisation.auditAct.titles.turned-on',
      defaultMessage: 'Titles by models turned on',
    }),
    'titles.turned-off': t({
      id: 'organisation.auditAct.titles.turned-off',
      defaultMessage: 'Titles by models turned off',
    }),
  };
}

function organisationActs(t: ReturnType<typeof useText>['t']) {
  return {
    ...connectionActs(t),
    ...feedbackActs(t),
    ...platformActs(t),
    'export.finished': t({ id: 'organisation.auditAct.export.finished', defaultMessage: 'Own data exported' }),
    'member.signed-in': t({ id: 'organisation.auditAct.member.signed-in', defaultMessage: 'Member signed in' }),
    'import.finished': t({ id: 'organisation.auditAct.import.finished', defaultMessage: 'Chats imported' }),
    'import.stopped': t({ id: 'organisation.auditAct.import.stopped', defaultMessage: 'Import of chats stopped' }),
    'import.failed': t({ id: 'organisation.auditAct.import.failed', defaultMessage: 'Import of chats failed' }),
    'chatbot.published': t({ id: 'organisation.auditAct.chatbot.published', defaultMessage: 'Chatbot published' }),
    'chatbot.deleted': t({ id: 'organisation.auditAct.chatbot.deleted', defaultMessage: 'Chatbot deleted' }),
    'chatbot.gate-changed': t({
      id: 'organisation.auditAct.chatbot.gate-changed',
      defaultMessage: 'Required tests changed',
    }),
    'organisation.created': t({
      id: 'organisation.auditAct.organisation.created',
      defaultMessage: 'Organisation created',
    }),
    'organisation.renamed': t({
      id: 'organisation.auditAct.organisation.renamed',
      defaultMessage: 'Organisation renamed',
    }),
    'organisation.settings-changed': t({
      id: 'organisation.auditAct.organisation.settings-changed',
      defaultMessage: 'Language or time zone changed',
    }),
    'organisation.provisioned': t({
      id: 'organisation.auditAct.organisation.provisioned',
      defaultMessage: 'Organisation created for its owner',
    }),
    'organisation.owner-invited': t({
      id: 'organisation.auditAct.organisation.owner-invited',
      defaultMessage: 'First owner invited',
    }),
    'organisation.suspended': t({
      id: 'organisation.auditAct.organisation.suspended',
      defaultMessage: 'Organisation suspended',
    }),
    'organisation.resumed': t({
      id: 'organisation.auditAct.organisation.resumed',
      defaultMessage: 'Organisation reactivated',
    }),
    'organisation.seat-limit-changed': t({
      id: 'organisation.auditAct.organisation.seat-limit-changed',
      defaultMessage: 'Seat limit changed',
    }),
    'own-flow.turned-on': t({
      id: 'organisation.auditAct.own-flow.turned-on',
      defaultMessage: 'Organisation approved',
    }),
    'own-flow.turned-off': t({ id: 'organisation.auditAct.own-flow.turned-off', defaultMessage: 'Approval withdrawn' }),
    'approval.requested': t({ id: 'organisation.auditAct.approval.requested', defaultMessage: 'Approval requested' }),
  };
}
