import type { ExportFile } from './archive.ts';
import { elementsOf, headTexts, valueOf, type JsonElement } from './json-elements.ts';
import { UnreadableExport } from './read-chat.ts';
import { chatGpt } from './sources/chatgpt.ts';
import { claude } from './sources/claude.ts';
import { libreChat } from './sources/librechat.ts';
import { openWebUi } from './sources/open-webui.ts';
import { hasParleyProjects, parley, parleyIndexFormat, parleyVersion } from './sources/parley.ts';
import type { SourceReader } from './sources/source-reader.ts';

const readers: readonly SourceReader[] = [parley, chatGpt, claude, openWebUi, libreChat];

/** Files of exports that hold no chats. */
const otherFiles =
  /^(?:user|users|user_settings|message_feedback|shared_conversations|model_comparisons|shopping|sora|ads|sectioned_conversations|export_manifest|manifest(?:-.*)?|conversation_asset_file_names|library_files|login_history|projects|memories)\.json$/i;
const otherFolders = /(?:^|\/)(?:projects|memories|files|design_chats|frames|sites)\//i;
/** Attachments, among them JSON that people have sent. */
const attachments = /^file[-_]/i;

const isChats = ({ name }: ExportFile): boolean => /^conversations(?:[-_ (].*)?\.json$/i.test(name);
const isCandidate = (file: ExportFile): boolean => isChats(file) || !isOther(file);
const isOther = ({ path, name }: ExportFile): boolean =>
  !/\.json$/i.test(name) || otherFiles.test(name) || otherFolders.test(path) || attachments.test(name);

/** The fields of an element, as far as they are known. */
export function fieldsOf(element: Pick<JsonElement, 'head'>, value: unknown): ReadonlyMap<string, unknown> {
  if (value === undefined) return headTexts(element.head);
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

/** How many values of a file, and how many files of an archive, are looked at to tell what they are. */
const mostLooked = 20;
const mostFilesLooked = 2_000;
type Found = { readonly reader: SourceReader | null; readonly isIndex: boolean; readonly isDamaged: boolean };

/** Which source a JSON file is from, by its first values. */
async function readerOf(file: ExportFile): Promise<Found> {
  let looked = 0;
  let isDamaged = false;
  for await (const element of elementsOf(file)) {
    const value = valueOf(element);
    const fields = fieldsOf(element, value);
    const format = fields.get('format');
    const isOwn = typeof format === 'string' && format.startsWith('parley-');
    if (isOwn && Number(fields.get('version')) > parleyVersion) throw new UnreadableExport('newer-version');
    if (format === parleyIndexFormat) return { reader: parley, isIndex: true, isDamaged };
    const reader = readers.find((each) => each.isChat(fields)) ?? null;
    if (reader) return { reader, isIndex: false, isDamaged };
    isDamaged ||= value === undefined;
    looked += 1;
    if (looked >= mostLooked) break;
  }
  return { reader: null, isIndex: false, isDamaged };
}

const isProjects = (file: ExportFile): boolean => hasParleyProjects(file) && !file.isProtected;
const folderOf = ({ path, name }: ExportFile): string => path.slice(0, path.length - name.length);

export type ChatFiles = {
  readonly reader: SourceReader | null;
  readonly files: ExportFile[];
  readonly isDamaged: boolean;
  /** Says what it is where it holds no chats. */
  readonly instead: 'encrypted' | 'only-manifest' | 'only-page' | null;
};

/**
 * Finds the files of one archive (or a file that was uploaded as it is) that hold chats. The first source found is that of
 * the archive: another product's export among its attachments is an attachment.
 */
export async function chatFilesIn(given: readonly ExportFile[], isArchive: boolean): Promise<ChatFiles> {
  const candidates = isArchive ? given.filter(isCandidate) : given;
  const sorted = [...candidates.filter(isChats), ...candidates.filter((file) => !isChats(file))];
  const files: ExportFile[] = [];
  const known = new Set<string>();
  let source: SourceReader | null = null;
  let isAnyDamaged = false;
  let looked = 0;
  for (const file of sorted) {
    if (known.has(folderOf(file))) {
      files.push(file);
      continue;
    }
    looked += 1;
    if (looked > mostFilesLooked || (file.isProtected && !isChats(file))) continue;
    const { reader, isIndex, isDamaged } = await readerOf(file);
    isAnyDamaged ||= isDamaged;
    if (reader === null || (source !== null && source !== reader)) continue;
    source = reader;
    if (isIndex) continue;
    files.push(file);
    // These write a file per chat: it would take a look at thousands of them.
    if (isArchive && (reader === parley || reader === libreChat)) known.add(folderOf(file));
  }
  // Throws for one of a newer version, which would lose what it holds.
  if (source === parley && isArchive) for (const file of given.filter(isProjects)) await readerOf(file);
  const instead = source === null ? await insteadOf(given, isArchive) : null;
  return { reader: source, files, isDamaged: isAnyDamaged, instead };
}

/** Recognises files that people get with their export, or in its place. */
async function insteadOf(given: readonly ExportFile[], isArchive: boolean): Promise<ChatFiles['instead']> {
  if (given.some(({ isProtected }) => isProtected)) return 'encrypted';
  const [file] = given;
  if (isArchive ? given.some(({ name }) => manifest.test(name)) : file && (await isManifest(file)))
    return 'only-manifest';
  return isArchive && given.some(({ name }) => name.toLowerCase() === 'chat.html') ? 'only-page' : null;
}

/** Claude gives a list of links to the files of its export first. */
const manifest = /^manifest(?:-.*)?\.json$/i;
async function isManifest(file: ExportFile): Promise<boolean> {
  for await (const element of elementsOf(file)) return fieldsOf(element, valueOf(element)).has('data_files');
  return false;
}
