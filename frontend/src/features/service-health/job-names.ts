import type { JobKind } from '@parley/contracts';
import { useText } from '../../lib/text.ts';

/** Returns what people call a kind of job. One of a newer service goes by its own name. */
export function useJobNames(): (kind: string) => string {
  const { t } = useText();
  const names: Readonly<Record<JobKind, string>> = {
    'send-account-mail': t({ id: 'health.job.send-account-mail', defaultMessage: 'Sending account emails' }),
    'send-mail': t({ id: 'health.job.send-mail', defaultMessage: 'Sending emails' }),
    'mail-invitation': t({ id: 'health.job.mail-invitation', defaultMessage: 'Sending invitations' }),
    'ask-next': t({ id: 'health.job.ask-next', defaultMessage: 'Asking queued questions' }),
    'run-chatbot-tests': t({ id: 'health.job.run-chatbot-tests', defaultMessage: 'Running chatbot tests' }),
    'read-file': t({ id: 'health.job.read-file', defaultMessage: 'Reading files' }),
    'read-long-file': t({ id: 'health.job.read-long-file', defaultMessage: 'Reading long files' }),
    'embed-file': t({ id: 'health.job.embed-file', defaultMessage: 'Embedding files' }),
    'embed-passages': t({ id: 'health.job.embed-passages', defaultMessage: 'Embedding documents' }),
    'fill-search-keys': t({ id: 'health.job.fill-search-keys', defaultMessage: 'Preparing search filters' }),
    'sync-connections': t({ id: 'health.job.sync-connections', defaultMessage: 'Syncing data connections' }),
    'write-export': t({ id: 'health.job.write-export', defaultMessage: 'Writing exports' }),
    'import-chats': t({ id: 'health.job.import-chats', defaultMessage: 'Importing chats' }),
    'delete-imported-chats': t({ id: 'health.job.delete-imported-chats', defaultMessage: 'Deleting chats of imports' }),
    'move-project-chats': t({ id: 'health.job.move-project-chats', defaultMessage: 'Moving chats of projects' }),
    'erase-chat': t({ id: 'health.job.erase-chat', defaultMessage: 'Erasing chats' }),
    'erase-message': t({ id: 'health.job.erase-message', defaultMessage: 'Erasing messages' }),
    'erase-project': t({ id: 'health.job.erase-project', defaultMessage: 'Erasing projects' }),
    'erase-document': t({ id: 'health.job.erase-document', defaultMessage: 'Erasing documents' }),
    'erase-connection': t({ id: 'health.job.erase-connection', defaultMessage: 'Erasing data connections' }),
    'erase-export': t({ id: 'health.job.erase-export', defaultMessage: 'Erasing exports' }),
    'check-file': t({ id: 'health.job.check-file', defaultMessage: 'Erasing unused chat files' }),
    'tell-webhook': t({ id: 'health.job.tell-webhook', defaultMessage: 'Delivering webhooks' }),
  };
  return (kind) => (names as Readonly<Record<string, string>>)[kind] ?? kind;
}
