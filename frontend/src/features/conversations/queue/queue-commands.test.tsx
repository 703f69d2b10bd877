import { beforeEach, describe, expect, it } from '@jest/globals';
import { useQuery } from '@tanstack/react-query';
import type { FileId, GenerationId, MessageId, QueuedQuestion } from '@parley/contracts';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleIds } from '../../../testing/samples.ts';
import type { GiveBack } from '../state/composing.ts';
import { useQueueCommands } from './queue-commands.ts';
import { noQueue, queueKey } from '../state/queue.ts';

const of = 'api/chat/conversations/:conversationId/queue';
const id = (n: number) => String(n).padStart(26, '0');
const file = `fil_${id(1)}` as FileId;
const files = [{ id: file, name: 'plan.pdf', mediaType: 'application/pdf', bytes: 9, use: 'whole' }] as const;
const queued = (n: number, text: string, more: Partial<QueuedQuestion> = {}): QueuedQuestion => ({
  id: `msg_${id(n)}` as MessageId,
  kind: 'question',
  parentId: null,
  text,
  answerId: `msg_${id(100 + n)}` as MessageId,
  generationId: `gen_${id(n)}` as GenerationId,
  author: { userId: sampleIds.user, name: 'Ines Vardale' },
  queuedAt: '2026-11-21T10:42:00.000Z',
  version: 1,
  ...more,
});

/** The queue on the server, and the texts in the message field. */
let items: QueuedQuestion[] = [];
let waitsForPerson = false;
let field: { text: string; files: readonly FileId[] }[] = [];
const withdrawn: string[] = [];
const giveBack: GiveBack = (text, given = []) => {
  const back = { text, files: given.map((one) => one.id) };
  field = [...field, back];
  return () => void (field = field.filter((one) => one !== back));
};

function Commands() {
  const { withdraw, save, resume } = useQueueCommands(sampleIds.conversation, giveBack);
  const queryKey = queueKey(sampleIds.org, sampleIds.conversation);
  const { data = noQueue } = useQuery({ queryKey, queryFn: async () => ({ items, waitsForPerson }) });
  const acts: [string, () => unknown][] = [
    ['withdraw all', () => withdraw(data.items)],
    ['withdraw the last', () => withdraw(data.items.slice(-1))],
    ['save', () => save(data.items[0]!, ' changed ')],
    ['resume', resume],
  ];
  return (
    <>
      {acts.map(([name, act]) => (
        <button key={name} type="button" onClick={() => void act()}>
          {name}
        </button>
      ))}
      <output aria-label="queue">{data.items.map(({ text }) => text).join(', ')}</output>
      <output aria-label="waits">{String(data.waitsForPerson)}</output>
    </>
  );
}

const remove: Handlers[`DELETE /${typeof of}/:messageId`] = ({ params }) => {
  withdrawn.push(params.messageId);
  items = items.filter((item) => item.id !== params.messageId);
  return undefined;
};
async function show(handlers: Handlers = { [`DELETE /${of}/:messageId`]: remove }) {
  const api = installFakeApi(handlers);
  renderInOrganisation(<Commands />, { path: '/:locale/chat/*', at: `/en/chat/${sampleIds.conversation}` });
  await untilShown('herons, storks, cranes');
  return api;
}
const untilShown = (texts: string) =>
  waitFor(() => expect(screen.getByLabelText('queue')).toHaveTextContent(new RegExp(`^${texts}$`)));
const click = (name: string) => userEvent.click(screen.getByRole('button', { name }));

beforeEach(() => {
  items = [queued(1, 'herons'), queued(2, 'storks'), queued(3, 'cranes', { files: [...files] })];
  [waitsForPerson, field, withdrawn.length] = [false, [], 0];
});

describe('withdrawing queued questions', () => {
  it('withdraws the last question first, so that no other gets a new parent, and puts all into the field', async () => {
    await show();
    await click('withdraw all');
    expect(await screen.findByText('Withdrawn from the queue')).toBeInTheDocument();
    expect(withdrawn).toEqual([3, 2, 1].map((n) => `msg_${id(n)}`));
    expect(field).toEqual([{ text: 'herons\n\nstorks\n\ncranes', files: [file] }]);
    await untilShown('');
  });

  it('puts only withdrawn questions into the field if Parley has asked the others meanwhile', async () => {
    await show({
      [`DELETE /${of}/:messageId`]: (call) =>
        call.params.messageId === items[0]!.id ? refuse('platform.conflict') : remove(call),
    });
    await click('withdraw all');
    expect(await screen.findByText(/^Parley already answers this question/)).toBeInTheDocument();
    expect(field).toEqual([{ text: 'storks\n\ncranes', files: [file] }]);
    await untilShown('herons');
  });

  it('leaves the question out of the field if withdrawing it is refused', async () => {
    await show({ [`DELETE /${of}/:messageId`]: () => refuse('platform.forbidden') });
    await click('withdraw the last');
    await waitFor(() => expect(field.filter(({ text }) => text !== '')).toEqual([]));
    await untilShown('herons, storks, cranes');
  });

  it('keeps the question in the field if the outcome of withdrawing it is unknown', async () => {
    await show({
      [`DELETE /${of}/:messageId`]: () => {
        throw new Error('The connection is lost.');
      },
    });
    await click('withdraw the last');
    await untilShown('herons, storks');
    await untilShown('herons, storks, cranes');
    expect(field).toEqual([{ text: 'cranes', files: [file] }]);
  });
});

describe('editing a queued question', () => {
  it('shows the saved text, and sends the version that was edited', async () => {
    const api = await show({
      [`PATCH /${of}/:messageId`]: ({ body }) => {
        items = items.with(0, { ...items[0]!, text: body.text, version: 2 });
        return items[0];
      },
    });
    await click('save');
    await untilShown('changed, storks, cranes');
    expect(api.calls.map(({ body }) => body)).toEqual([{ version: 1, text: 'changed' }]);
  });

  it('reads the queue again if someone else has changed the question', async () => {
    await show({
      [`PATCH /${of}/:messageId`]: () => {
        items = [{ ...items[0]!, text: 'egrets', version: 2 }, ...items.slice(1)];
        return refuse('platform.conflict');
      },
    });
    await click('save');
    await untilShown('egrets, storks, cranes');
  });
});

describe('a queue on hold', () => {
  it('continues when the person asks for it', async () => {
    waitsForPerson = true;
    await show({ [`POST /${of}/resume`]: () => ({ items, waitsForPerson: false }) });
    expect(screen.getByLabelText('waits')).toHaveTextContent('true');
    await click('resume');
    await waitFor(() => expect(screen.getByLabelText('waits')).toHaveTextContent('false'));
  });

  it('keeps the queue on hold if continuing is refused, and reads it again', async () => {
    waitsForPerson = true;
    await show({
      [`POST /${of}/resume`]: () => {
        items = items.slice(1);
        return refuse('platform.forbidden');
      },
    });
    await click('resume');
    await untilShown('storks, cranes');
    expect(screen.getByLabelText('waits')).toHaveTextContent('true');
  });
});
