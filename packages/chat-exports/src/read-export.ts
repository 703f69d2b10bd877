import type { ExportFile } from './archive.ts';
import type { RawBroken, RawChat } from './chat-node.ts';
import { cleanLine, hashOf, mostModelLength, mostProjectNameLength, mostTitleLength } from './cleaning.ts';
import { valuesIn, type ExportFiles } from './export-files.ts';
import { ExportProjects } from './export-projects.ts';
import { Turns, type GiveWay } from './in-turns.ts';
import { cutElement, elementsOf, valueOf, type JsonElement } from './json-elements.ts';
import { lostPart, lostParts, type Parts } from './parts.ts';
import type {
  BrokenChat,
  BrokenReason,
  ImportSource,
  Loss,
  OpenedExport,
  Other,
  OtherKind,
  ProjectFile,
  ReadChat,
  ReadMessage,
  ReadProject,
} from './read-chat.ts';
import { fieldsOf } from './recognise.ts';
import { othersIn } from './sources/claude-others.ts';
import { idIn, type SourceReader } from './sources/source-reader.ts';
import { treeOf, type ChatTree, type TreeMessage } from './tree.ts';

type Content = {
  readonly chatFiles: readonly ExportFile[];
  readonly files: readonly ExportFile[];
  readonly index: ExportFiles;
  readonly parts: Parts;
};

/** Of one chat. */
const mostLosses = 10_000;
/** Of what is only counted, so many are told apart. */
const mostCounted = 100_000;
/** Limits how much of what can't be imported is named. */
const mostNames = 20;

const titleOf = (title: string | null): string => cleanLine(title ?? '', mostTitleLength);
const broken = (
  reason: BrokenReason,
  { sourceId, title }: { readonly sourceId: string | null; readonly title: string | null },
): BrokenChat => ({ kind: 'broken', sourceId, title: title === null ? null : titleOf(title), reason });

/** A value of a file, not yet read as a chat. */
type Item = {
  readonly file: ExportFile;
  readonly element: Omit<JsonElement, 'bytes'>;
  readonly value: unknown;
  readonly key: string | null;
};

export class ReadExport implements OpenedExport {
  readonly source: ImportSource;
  /** By kind and key: how the export calls it. */
  private readonly counted = new Map<OtherKind, Map<string, string>>();

  private chatNames: ReadonlySet<string> | null = null;
  private readonly described: ExportProjects;

  constructor(
    private readonly reader: SourceReader,
    private readonly content: Content,
    private readonly by: { readonly giveWay: GiveWay; readonly signal?: AbortSignal },
  ) {
    this.source = reader.source;
    this.described = new ExportProjects(reader.source, content, {
      signal: by.signal,
      lost: (key, name) => this.saw('missing-parts', key, name),
    });
  }

  async *chats(from = 0): AsyncGenerator<ReadChat | BrokenChat> {
    let number = 0;
    const turns = new Turns(this.by.giveWay);
    for await (const item of this.items()) {
      number += 1;
      if (number > from) yield await this.read(item);
      await turns.next();
    }
    // Behind all chats, so that these have the same numbers when more parts are known.
    if (this.source !== 'chatgpt') return;
    for (const part of await lostParts(this.content.parts, this.content)) {
      number += 1;
      if (number > from) yield this.withoutPart(part);
    }
  }

  private withoutPart(part: BrokenChat): BrokenChat {
    this.saw('missing-parts', part.title ?? '');
    return { ...part, title: part.title === null ? null : titleOf(part.title) };
  }

  /** Each once, also if it is in two parts of the export. What has no id is told apart by its content. */
  private async *items(): AsyncGenerator<Item> {
    const seen = new Set<string>();
    for (const file of this.content.chatFiles)
      for await (const element of file.isProtected ? [cutElement] : elementsOf(file)) {
        this.by.signal?.throwIfAborted();
        const value = valueOf(element);
        const fields = fieldsOf(element, value);
        const known = this.reader.isChat(fields) ? this.reader.idOf(fields) : null;
        const key = known ?? (element.bytes && hashOf(element.bytes));
        if (key !== null && seen.has(key)) continue;
        if (key !== null) seen.add(key);
        yield { file, element: { head: element.head, problem: element.problem }, value, key };
      }
  }

  private async read({ file, element, value, key }: Item): Promise<ReadChat | BrokenChat> {
    if (element.problem === 'cut') return this.withoutPart(lostPart('part-cut', file.name, this.content.parts));
    const fields = fieldsOf(element, value);
    if (value === undefined) {
      const title = fields.get('title') ?? fields.get('name');
      return broken(element.problem ?? 'damaged', {
        sourceId: this.reader.idOf(fields),
        title: typeof title === 'string' ? title : null,
      });
    }
    if (typeof value !== 'object' || value === null || !this.reader.isChat(fields)) {
      // Some conversations of ChatGPT are a title and nothing else.
      const title = fields.get('title');
      const isShell = typeof title === 'string' && this.source === 'chatgpt';
      return broken(isShell ? 'no-messages' : 'not-a-chat', {
        sourceId: isShell ? idIn(fields, 'conversation_id', 'id') : null,
        title: typeof title === 'string' ? title : null,
      });
    }
    const read = await this.treeOf(value);
    if (read === null) return broken('damaged', { sourceId: key, title: null });
    const { raw, tree } = read;
    if ('broken' in raw) return broken(raw.broken, raw);
    return 'broken' in tree ? broken(tree.broken, raw) : await this.finish({ raw, tree, key: key ?? '' });
  }

  /** Null for a chat that its reader fails with: it must not keep the others away. */
  private async treeOf(value: object): Promise<{ raw: RawChat | RawBroken; tree: ReturnType<typeof treeOf> } | null> {
    try {
      const raw = await this.reader.read(value, {
        filesOf: (messageId) => this.content.index.ofMessage(messageId),
        saw: (kind, seen, name) => this.saw(kind, seen, name),
        giveWay: this.by.giveWay,
      });
      return { raw, tree: 'broken' in raw ? { broken: 'no-messages' } : treeOf(raw.nodes, raw.openId) };
    } catch {
      return null;
    }
  }

  private async finish({ raw, tree, key }: { raw: RawChat; tree: ChatTree; key: string }): Promise<ReadChat> {
    const losses = [...tree.losses];
    const messages: ReadMessage[] = [];
    for (const message of tree.messages) messages.push(await this.withFiles(message, losses));
    const { nodes: _nodes, sourceId, title, branchedFrom = null, ...fields } = raw;
    return {
      ...fields,
      branchedFrom: branchedFrom && this.hasChat(branchedFrom.chatId) ? branchedFrom : null,
      kind: 'chat',
      sourceId: sourceId ?? key,
      title: titleOf(title),
      messages,
      openId: tree.openId,
      losses: losses.slice(0, mostLosses),
    };
  }

  private async withFiles(message: TreeMessage, losses: Loss[]): Promise<ReadMessage> {
    const { sourceId, model } = message;
    const files: ReadMessage['files'][number][] = [];
    for (const ref of message.files) {
      const file = await this.content.index.resolve(ref);
      if (typeof file === 'string') losses.push({ messageId: sourceId, what: file, name: ref.name });
      else files.push({ ...file, ...(ref.id && { id: ref.id }) });
    }
    return { ...message, model: model === null ? null : cleanLine(model, mostModelLength) || null, files };
  }

  /** Parley names the file of a chat by its id. */
  private hasChat(id: string): boolean {
    this.chatNames ??= new Set(this.content.chatFiles.map(({ name }) => name));
    return this.chatNames.has(`${id}.json`);
  }

  private saw(kind: OtherKind, key: string, name = key): void {
    const names = this.counted.get(kind) ?? new Map<string, string>();
    if (names.size < mostCounted && !names.has(key))
      names.set(key, names.size < mostNames ? cleanLine(name, mostProjectNameLength) : '');
    this.counted.set(kind, names);
  }

  projects(): Promise<readonly ReadProject[]> {
    return this.described.all();
  }

  projectFiles(from = 0): AsyncGenerator<ProjectFile> {
    return this.described.files(from);
  }

  async others(): Promise<readonly Other[]> {
    if (this.source === 'claude')
      for await (const { path, value } of this.memories())
        for (const { kind, key, name } of othersIn(path, value)) this.saw(kind, key, name);
    return [...this.counted].map(([kind, names]) => ({
      kind,
      count: names.size,
      names: [...names.values()].slice(0, mostNames).filter(Boolean),
    }));
  }

  /** Files of their own. */
  private async *memories(): AsyncGenerator<{ readonly path: string; readonly value: unknown }> {
    for (const file of this.content.files) {
      if (!/\.json$/i.test(file.name) || file.isProtected || this.content.chatFiles.includes(file)) continue;
      if (!/(?:^|\/)memories\b/i.test(file.path)) continue;
      for await (const value of valuesIn(file)) {
        this.by.signal?.throwIfAborted();
        yield { path: file.path, value };
      }
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
