import type { ChatNode, FileRef } from './chat-node.ts';
import { cutText, mostTextLength } from './cleaning.ts';
import type { BrokenReason, ExportedAnswer, Loss } from './read-chat.ts';
import { linked, type Linked } from './tree-links.ts';

export type TreeMessage = {
  readonly sourceId: string;
  readonly parentId: string | null;
  readonly role: 'person' | 'assistant';
  readonly text: string;
  readonly createdAt: Date | null;
  readonly model: string | null;
  readonly files: FileRef[];
  readonly exported?: ExportedAnswer | null;
};
export type ChatTree = {
  readonly messages: readonly TreeMessage[];
  readonly openId: string | null;
  readonly losses: readonly Loss[];
};

export const mostFiles = 20;
/** Of all messages of a chat: texts that are repeated in siblings add up. */
const mostTotalLength = 32 * 1024 ** 2;

/** The question of an answer that has none in the source. */
const questionIdOf = (id: string): string => `${id}:question`;

/** A run is what one side says without an answer between; its messages become one, but for Parley's own questions. */
type Block = {
  readonly node: ChatNode;
  /** The last message before the run. */
  readonly before: Block | null;
  /** The message of the same side before this one. */
  readonly earlier: Block | null;
  readonly following: Block[];
  /** Of the text of the run up to here, with something for each message and file: bounds what a run costs. */
  readonly length: number;
  /** Ends a run, or is followed by another one: is a message of its own. */
  isMessage: boolean;
  /** Itself, or the first message that goes on with it. */
  message: Block | null;
};

/** Blocks of visible nodes, parents before children. Children of hidden nodes follow the nearest visible one. */
function blocksOf({ nodes, order, parents }: Linked): (Block | null)[] {
  const blocks: (Block | null)[] = nodes.map(() => null);
  const made: Block[] = [];
  for (const at of order) {
    const node = nodes[at]!;
    const above = parents[at]! < 0 ? null : (blocks[parents[at]!] ?? null);
    if (!isVisible(node)) {
      blocks[at] = above;
      continue;
    }
    const isSame = above !== null && isJoined(above.node, node);
    const block: Block = {
      node,
      before: isSame ? above.before : above,
      earlier: isSame ? above : null,
      following: [],
      length: node.text.length + 16 * (1 + node.files.length) + (isSame ? above.length : 0),
      isMessage: true,
      message: null,
    };
    above?.following.push(block);
    blocks[at] = block;
    made.push(block);
  }
  for (const block of made.toReversed()) {
    const { following } = block;
    block.isMessage = following.length === 0 || following.some(({ earlier }) => earlier !== block);
    block.message = block.isMessage ? block : following[0]!.message;
  }
  return blocks;
}

const isVisible = ({ role, text, files, isWhole }: ChatNode): boolean =>
  role !== null && (text !== '' || files.length > 0 || isWhole === true);

/** Tells whether a node is in one message with the one that it follows. */
const isJoined = (above: ChatNode, { role, isWhole }: ChatNode): boolean =>
  above.role === role && !(role === 'person' && isWhole === true);

const messageIdOf = (block: Block | null): string | null => block?.message?.node.id ?? null;

/** All of a run up to this block, the earliest first. */
function runOf(block: Block): Block[] {
  const run: Block[] = [];
  for (let each: Block | null = block; each !== null; each = each.earlier) run.push(each);
  return run.toReversed();
}

const lastOf = <Value>(run: readonly Block[], get: (node: ChatNode) => Value | null): Value | null =>
  run.reduce<Value | null>((found, { node }) => get(node) ?? found, null);

const namesOf = (files: readonly FileRef[]): string =>
  files
    .slice(0, mostFiles)
    .map(({ name }) => `*${cutText(name, 200).text}*`)
    .join('\n\n');

/** Makes the message of a block, and the question before it if it is an answer without one. */
function messagesOf(block: Block, losses: Loss[]): TreeMessage[] {
  const run = runOf(block);
  const role = block.node.role!;
  const { text, isCut } = cutText(
    run
      .map(({ node }) => node.text)
      .filter(Boolean)
      .join('\n\n'),
    mostTextLength,
  );
  const { id } = block.node;
  if (isCut) losses.push({ messageId: id, what: 'text-cut', name: null });
  const createdAt = lastOf(run, (node) => node.createdAt);
  const files = run.flatMap(({ node }) => node.files);
  const parentId = block.before === null ? null : messageIdBefore(block);
  const isRootAnswer = role === 'assistant' && parentId === null;
  const message: TreeMessage = {
    sourceId: id,
    parentId: isRootAnswer ? questionIdOf(id) : parentId,
    role,
    // An answer that is a picture alone would be empty: its file is moved to a question.
    text: text === '' && role === 'assistant' ? namesOf(files) : text,
    createdAt,
    model: role === 'assistant' ? lastOf(run, (node) => node.model) : null,
    files,
    exported: role === 'assistant' ? lastOf(run, (node) => node.exported ?? null) : null,
  };
  if (!isRootAnswer) return [message];
  const question = { sourceId: questionIdOf(id), parentId: null, role: 'person', text: '' } as const;
  return [{ ...question, createdAt, model: null, files: [] }, message];
}

/** What is before a run has it as a follower of the other side, so it is a message of its own. */
const messageIdBefore = ({ before }: Block): string => before!.node.id;

/**
 * Answers have no files in Parley. Those of an answer (generated pictures, documents) go to the question that follows it,
 * where they are of use for what is asked next; if none or several follow, to its own question. So none is lost, and none
 * is there twice.
 */
function moveFilesOfAnswers(messages: readonly TreeMessage[]): void {
  const byId = new Map(messages.map((message) => [message.sourceId, message]));
  const following = new Map<string, TreeMessage[]>();
  for (const message of messages) {
    if (message.role !== 'person' || message.parentId === null) continue;
    const siblings = following.get(message.parentId);
    if (siblings) siblings.push(message);
    else following.set(message.parentId, [message]);
  }
  for (const answer of messages) {
    if (answer.role !== 'assistant' || answer.files.length === 0) continue;
    const next = following.get(answer.sourceId) ?? [];
    const question = next.length === 1 ? next[0]! : byId.get(answer.parentId ?? '');
    for (const file of answer.files.splice(0)) question?.files.push(file);
  }
}

function dropFilesBeyondLimit(messages: readonly TreeMessage[], losses: Loss[]): void {
  for (const { sourceId, files } of messages)
    for (const { name } of files.splice(mostFiles)) losses.push({ messageId: sourceId, what: 'too-many-files', name });
}

/** The newest leaf below a message; null stays null. */
function leafBelow(id: string | null, messages: readonly TreeMessage[]): string | null {
  const newest = new Map<string, string>();
  for (const { sourceId, parentId } of messages) if (parentId !== null) newest.set(parentId, sourceId);
  let leaf = id;
  for (let next = leaf; next !== null; next = newest.get(next) ?? null) leaf = next;
  return leaf;
}

/**
 * Makes Parley's tree of a source's nodes. In what other programs wrote, questions and answers alternate then:
 * - Nodes that a person never sees go, and their children move up.
 * - What one side says in a row is one message, with blank lines between, under the id of the last. Where such a row
 *   forks, each branch is a message with all of its row, so each path reads as in the source.
 * - An answer without a question gets an empty one.
 * Ids follow from those of the source. A cycle is cut before its first node; if everything is in one, it is broken.
 */
export function treeOf(
  given: readonly ChatNode[],
  openId: string | null,
): ChatTree | { readonly broken: Extract<BrokenReason, 'no-messages' | 'cycle' | 'too-large'> } {
  const all = linked(given);
  if (all === null) return { broken: 'cycle' };
  const blocks = blocksOf(all);
  const ordered = all.order.flatMap((at) => {
    const block = blocks[at] ?? null;
    return block !== null && block.node === all.nodes[at] && block.isMessage ? [block] : [];
  });
  if (ordered.length === 0) return { broken: 'no-messages' };
  const total = ordered.reduce((sum, { length }) => sum + length, 0);
  if (total > mostTotalLength) return { broken: 'too-large' };
  const losses: Loss[] = all.order.flatMap((at) => {
    const block = blocks[at] ?? null;
    const messageId = messageIdOf(block);
    return all.nodes[at]!.losses.map((loss) => ({ messageId, ...loss }));
  });
  const messages = ordered.flatMap((block) => messagesOf(block, losses));
  moveFilesOfAnswers(messages);
  dropFilesBeyondLimit(messages, losses);
  const open = openId === null ? undefined : all.nodes.findIndex(({ id }) => id === openId);
  const openBlock = open === undefined || open < 0 ? null : (blocks[open] ?? null);
  return { messages, losses, openId: leafBelow(messageIdOf(openBlock), messages) };
}
