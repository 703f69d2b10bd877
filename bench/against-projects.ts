// These rows of `--against` say what a project costs: its list of chats, and a question in it.
import { newId } from '@parley/platform/ids';
import type { ProjectId } from '@parley/contracts';
import { RefusedCall } from '@parley/testing/client';
import type { Figures, Product, Row } from './against-product.ts';
import { anApprovedTab } from './against-tabs.ts';
import type { Floors } from './floors.ts';
import { percentile } from './product.ts';
import type { BenchTab } from './streams.ts';

const chats = 5_000;
const rounds = 40;
const questions = 20;
const instructions = 'Answer for the project team. Name the drawing and its revision.';

/** Null in versions without projects: their rows have no figures. */
async function aProject({ client }: BenchTab): Promise<ProjectId | null> {
  const id = newId('project');
  try {
    const { revision } = await client.call('POST /api/chat/projects', { body: { id, name: 'Substation 14 refit' } });
    await client.call('PATCH /api/chat/projects/:projectId', {
      params: { projectId: id },
      body: { revision, instructions },
    });
    return id;
  } catch (error) {
    if (error instanceof RefusedCall && error.status === 404) return null;
    throw error;
  }
}

async function opened(product: Product, floors: Floors) {
  const tab = await anApprovedTab(product, floors);
  return { tab, projectId: await aProject(tab) };
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const begunAt = performance.now();
  await act();
  return performance.now() - begunAt;
}

/** Times the first page of a project's chats, in turn with that of the chats of a person who has as many without one. */
const list: Row = {
  name: `list of a project with ${chats} chats beside the plain list`,
  how: 'measured',
  async begin(product, floors) {
    const { tab, projectId } = await opened(product, floors);
    const other = await anApprovedTab(product, floors);
    for (let at = 0; projectId && at < chats; at += 1) {
      await tab.client.send(newId('conversation'), 'Herons?', { projectId, model: 'builtin' as never });
      await other.client.send(newId('conversation'), 'Herons?', { model: 'builtin' as never });
    }
    const measure = async (): Promise<Figures> => {
      if (!projectId) return {};
      const [ofProject, plain]: [number[], number[]] = [[], []];
      const read = ({ client }: BenchTab, query: { project?: ProjectId }) =>
        timeOf(() => client.call('GET /api/chat/conversations', { query: { limit: 50, ...query } }));
      for (let round = 0; round < rounds; round += 1) {
        ofProject.push(await read(tab, { project: projectId }));
        plain.push(await read(other, {}));
      }
      const [mine, theirs] = [percentile(ofProject, 0.5), percentile(plain, 0.5)];
      return { 'list, ms': mine, 'project / plain': mine / theirs };
    };
    return { measure, end: () => (tab.close(), other.close()) };
  },
};

/** In turn with the same question in a chat of the same person outside all projects. */
const question: Row = {
  name: 'question in a project beside one outside',
  how: 'measured',
  async begin(product, floors) {
    const { tab, projectId } = await opened(product, floors);
    const [inside, outside] = [await tab.newConversation(), await tab.newConversation()];
    if (projectId) {
      const body = { conversationIds: [inside], projectId };
      await tab.client.call('PUT /api/chat/conversation-projects', { body });
    }
    const ask = async (id: typeof inside) => {
      const begun = await product.usedBy(async () => {
        for (let at = 0; at < questions; at += 1) await tab.ask(id, 'tokens=5 rate=1000');
      });
      return begun.cpuMs / questions;
    };
    const measure = async (): Promise<Figures> => {
      if (!projectId) return {};
      const [mine, theirs] = [await ask(inside), await ask(outside)];
      return { 'CPU, ms': mine, 'inside / outside': mine / theirs };
    };
    return { measure, end: () => tab.close() };
  },
};

export const projectRows: readonly Row[] = [list, question];
