import type { ChatImport, ImportFailure, ImportLoss, ImportReport, ImportSource, LossReason } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';

type Texts<Key extends string> = Readonly<Record<Key, string>>;

/** Names of products are the same in all languages. */
export const sourceNames: Texts<ImportSource> = {
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  'open-webui': 'Open WebUI',
  librechat: 'LibreChat',
  parley: 'Parley',
};

/** Why nothing more is imported. */
export function useFailures(): Texts<ImportFailure> {
  const { t } = useText();
  return {
    'not-an-export': t({
      id: 'settings.import.failure.notAnExport',
      defaultMessage:
        'This isn’t an export of ChatGPT, Claude, Open WebUI, LibreChat or Parley. Choose the file as you got it.',
    }),
    'only-manifest': t({
      id: 'settings.import.failure.manifest',
      defaultMessage:
        'This is the list of files that Claude made. Open it, download conversations-000.zip by its link, and upload that.',
    }),
    'only-page': t({
      id: 'settings.import.failure.page',
      defaultMessage:
        'This archive has only chat.html, a page to look at. Upload the ZIP that has conversations.json in it.',
    }),
    'newer-version': t({
      id: 'settings.import.failure.newer',
      defaultMessage: 'This export comes from a newer version of Parley. Import it there, or ask for an update here.',
    }),
    encrypted: t({
      id: 'settings.import.failure.encrypted',
      defaultMessage: 'The file is protected with a password. Unpack it, and pack it again without one.',
    }),
    damaged: t({
      id: 'settings.import.failure.damaged',
      defaultMessage: 'The file is damaged or incomplete. Download the export again, then upload it once more.',
    }),
    'too-much-inside': t({
      id: 'settings.import.failure.tooMuch',
      defaultMessage: 'The archive unpacks to more than Parley reads. Split it into several archives.',
    }),
    'several-sources': t({
      id: 'settings.import.failure.several',
      defaultMessage: 'These files come from different products. Upload the files of each product on their own.',
    }),
    ...useFailuresHere(),
  };
}

/** Words for what is not the fault of the files. */
function useFailuresHere(): Texts<'storage-full' | 'over-quota' | 'gone' | 'access-lost' | 'internal'> {
  const { t } = useText();
  return {
    'storage-full': t({
      id: 'settings.import.failure.diskFull',
      defaultMessage:
        'The server’s disk is full. Ask a platform admin to make room, then import the rest with the same file.',
    }),
    'over-quota': t({
      id: 'settings.import.failure.overQuota',
      defaultMessage:
        'Your organisation’s storage is full. Ask an admin for more, then import the rest with the same file.',
    }),
    gone: t({
      id: 'settings.import.failure.gone',
      defaultMessage:
        'The upload was deleted after 7 days. Upload the file again: what is imported isn’t imported twice.',
    }),
    'access-lost': t({
      id: 'settings.import.failure.accessLost',
      defaultMessage:
        'The import ended because you couldn’t create chats here any more. Ask an admin for the permission.',
    }),
    internal: t({
      id: 'settings.import.failure.internal',
      defaultMessage: 'The import failed on the server. Try again, or tell an admin. Nothing is imported twice.',
    }),
  };
}

type PartLoss = 'part-missing' | 'part-cut';

/** Returns the words for why one thing is not imported. */
export function useLossWords(): (loss: Pick<ImportLoss, 'reason' | 'name'>) => string {
  const { t } = useText();
  const reasons = useLossReasons();
  return ({ reason, name }) => {
    const values = { isNumbered: String(name !== null), part: Number(name) };
    if (reason === 'part-missing')
      return t(
        {
          id: 'settings.import.loss.partMissing',
          defaultMessage:
            '{isNumbered, select, true {Part {part, number} of the export is missing, with the chats in it} other {This file is missing from the export, with the chats in it}}',
        },
        values,
      );
    if (reason === 'part-cut')
      return t(
        {
          id: 'settings.import.loss.partCut',
          defaultMessage:
            '{isNumbered, select, true {Part {part, number} of the export is cut off or damaged, so chats are missing} other {This file is cut off or damaged, so chats are missing}}',
        },
        values,
      );
    return reasons[reason];
  };
}

export const isOfPart = (reason: LossReason): reason is PartLoss => reason === 'part-missing' || reason === 'part-cut';

function useLossReasons(): Texts<Exclude<LossReason, PartLoss>> {
  const { t } = useText();
  return {
    'no-messages': t({ id: 'settings.import.loss.noMessages', defaultMessage: 'Empty: it has no messages' }),
    'not-a-chat': t({ id: 'settings.import.loss.notAChat', defaultMessage: 'Not a chat' }),
    'too-large': t({ id: 'settings.import.loss.tooLarge', defaultMessage: 'The chat is too large' }),
    cycle: t({ id: 'settings.import.loss.cycle', defaultMessage: 'Its messages follow each other in a circle' }),
    damaged: t({ id: 'settings.import.loss.damaged', defaultMessage: 'Damaged' }),
    internal: t({ id: 'settings.import.loss.internal', defaultMessage: 'Parley couldn’t import this. Tell an admin.' }),
    ...useProjectLosses(),
    'text-cut': t({ id: 'settings.import.loss.textCut', defaultMessage: 'The end of a very long message is missing' }),
    'canvas-incomplete': t({
      id: 'settings.import.loss.canvas',
      defaultMessage: 'A canvas is incomplete in the export',
    }),
    'too-many-versions': t({ id: 'settings.import.loss.versions', defaultMessage: 'Too many versions of a message' }),
    'file-not-in-export': t({ id: 'settings.import.loss.missing', defaultMessage: 'Not in the export' }),
    'file-type-not-supported': t({
      id: 'settings.import.loss.type',
      defaultMessage: 'This type of file isn’t supported',
    }),
    'file-too-large': t({ id: 'settings.import.loss.fileTooLarge', defaultMessage: 'Larger than 50 MB' }),
    'file-empty': t({ id: 'settings.import.loss.fileEmpty', defaultMessage: 'The file is empty' }),
    'file-damaged': t({ id: 'settings.import.loss.fileDamaged', defaultMessage: 'The file is damaged' }),
    'file-protected': t({
      id: 'settings.import.loss.protected',
      defaultMessage: 'The file is protected with a password',
    }),
    'too-many-files': t({
      id: 'settings.import.loss.tooManyFiles',
      defaultMessage: 'The message has more than 20 files',
    }),
    'over-quota': t({ id: 'settings.import.loss.overQuota', defaultMessage: 'Your organisation’s storage is full' }),
  };
}

type ProjectLoss =
  | 'project-limit'
  | 'instructions-cut'
  | 'project-description'
  | 'project-chatbot'
  | 'project-connection'
  | 'project-files-full'
  | 'file-without-project'
  | 'project-deleted';

function useProjectLosses(): Texts<ProjectLoss> {
  const { t } = useText();
  return {
    'project-limit': t({
      id: 'settings.import.loss.projectLimit',
      defaultMessage: 'You’ve reached the limit of projects, so its chats were imported without it',
    }),
    'instructions-cut': t({
      id: 'settings.import.loss.instructionsCut',
      defaultMessage: 'The end of the project’s instructions is missing: they’re longer than 8,000 characters',
    }),
    'project-description': t({
      id: 'settings.import.loss.projectDescription',
      defaultMessage: 'The project’s description wasn’t imported: projects have only instructions here',
    }),
    'project-chatbot': t({
      id: 'settings.import.loss.projectChatbot',
      defaultMessage: 'This chatbot isn’t available here, so the project uses the default one',
    }),
    'project-connection': t({
      id: 'settings.import.loss.projectConnection',
      defaultMessage: 'This data connection isn’t available here, so the project doesn’t use it',
    }),
    'project-files-full': t({
      id: 'settings.import.loss.projectFilesFull',
      defaultMessage: 'The project already has 20 files, so this one wasn’t added',
    }),
    'file-without-project': t({
      id: 'settings.import.loss.fileWithoutProject',
      defaultMessage: 'You deleted the project during the import, so its file wasn’t imported',
    }),
    'project-deleted': t({
      id: 'settings.import.loss.projectDeleted',
      defaultMessage: 'You deleted the project during the import, so the chat was imported without it',
    }),
  };
}

/** What else is in an export and can't be imported. */
export function useOtherKinds(): Texts<ImportReport['others'][number]['kind']> {
  const { t } = useText();
  return {
    'custom-chatbots': t({ id: 'settings.import.other.chatbots', defaultMessage: 'Custom GPTs' }),
    projects: t({ id: 'settings.import.other.projects', defaultMessage: 'Projects' }),
    'project-files': t({ id: 'settings.import.other.projectFiles', defaultMessage: 'Project files' }),
    memories: t({ id: 'settings.import.other.memories', defaultMessage: 'Memories' }),
    prompts: t({ id: 'settings.import.other.instructions', defaultMessage: 'Custom instructions' }),
    'missing-parts': t({ id: 'settings.import.other.parts', defaultMessage: 'Missing or damaged parts' }),
  };
}

/** The files of an import, as one name. */
export function useImportName(): (item: Pick<ChatImport, 'files'>) => string {
  const { t } = useText();
  return ({ files: [first, ...more] }) => {
    const name = first?.name ?? '';
    if (more.length === 0) return name;
    return t(
      {
        id: 'settings.import.name.several',
        defaultMessage: '{name} and {count, plural, one {# more file} other {# more files}}',
      },
      { name, count: more.length },
    );
  };
}
