import { Button } from '@mantine/core';
import type { RunningAnswer } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Square } from 'lucide-react';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { PersonAvatar } from '../../../domain/picture/avatar.tsx';
import { ListTable } from '../../../ui/list-table.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import table from '../../../ui/table.module.css';
import { useErrorToast } from '../../../ui/error-toast.ts';
import classes from '../org-monitoring.module.css';
import { usePartNames } from '../use-part-names.ts';
import { useSeconds } from '../use-seconds.ts';

type Props = { items: readonly RunningAnswer[]; count: number };

export function RunningTable({ items, count }: Props) {
  const { t } = useText();
  const { number } = useFormats();
  const labels = useLabels();
  const maySeePeople = useRight('member:read_pii');
  const mayStop = useRight('generation:stop_any');
  const columns = [
    { key: 'model', label: labels.model },
    ...(maySeePeople ? [{ key: 'person', label: labels.person }] : []),
    { key: 'firstToken', label: labels.firstToken, isFigure: true },
    { key: 'speed', label: labels.speed, isFigure: true },
    { key: 'state', label: labels.state },
    ...(mayStop ? [{ key: 'stop', label: labels.stop, isHidden: true }] : []),
  ];
  if (items.length === 0)
    return (
      <p className={`p-sm p-quiet ${classes.none}`}>
        {t({ id: 'monitoring.running.none', defaultMessage: 'No answer is being written, and none waits.' })}
      </p>
    );
  return (
    <>
      <ListTable
        columns={columns}
        items={items.map((item) => ({ id: item.generationId, ...item }))}
        cells={(item) => <Cells item={item} maySeePeople={maySeePeople} mayStop={mayStop} />}
      />
      {count > items.length ? (
        <p className={table.foot}>
          {t(
            { id: 'monitoring.running.cut', defaultMessage: 'The {shown} oldest of {count}.' },
            { shown: number(items.length), count: number(count) },
          )}
        </p>
      ) : null}
    </>
  );
}

function useLabels() {
  const { t } = useText();
  return {
    model: t({ id: 'monitoring.running.model', defaultMessage: 'Model' }),
    person: t({ id: 'monitoring.running.person', defaultMessage: 'Person' }),
    firstToken: t({ id: 'monitoring.running.firstToken', defaultMessage: 'First token' }),
    speed: t({ id: 'monitoring.running.speed', defaultMessage: 'Tokens/s' }),
    state: t({ id: 'monitoring.running.state', defaultMessage: 'State' }),
    stop: t({ id: 'monitoring.running.stopColumn', defaultMessage: 'Stop' }),
  };
}

type CellsProps = { item: RunningAnswer; maySeePeople: boolean; mayStop: boolean };

function Cells({ item, maySeePeople, mayStop }: CellsProps) {
  const { number } = useFormats();
  const seconds = useSeconds();
  const labels = useLabels();
  const nameOf = usePartNames();
  const { firstTokenMs, tokensPerSecond, person } = item;
  return (
    <>
      <td>
        <bdi className={table.name}>{nameOf(item.model)}</bdi>
      </td>
      {maySeePeople ? (
        <td>
          {person ? (
            <span className={table.named}>
              <PersonAvatar id={person.userId} name={person.name} picture={person.picture} size={20} />
              <bdi>{person.name}</bdi>
            </span>
          ) : (
            '–'
          )}
        </td>
      ) : null}
      <td className={table.figure} data-label={labels.firstToken}>
        {firstTokenMs === null ? '–' : seconds(firstTokenMs)}
      </td>
      <td className={table.figure} data-label={labels.speed}>
        {tokensPerSecond === null ? '–' : number(Math.round(tokensPerSecond))}
      </td>
      <td>
        <State item={item} />
      </td>
      {mayStop ? (
        <td className={table.actions}>
          <StopButton item={item} />
        </td>
      ) : null}
    </>
  );
}

function State({ item: { state, queuedAt } }: { item: RunningAnswer }) {
  const { t } = useText();
  const { exact } = useFormats();
  const words = {
    queued: t({ id: 'monitoring.running.queued', defaultMessage: 'Queued' }),
    thinking: t({ id: 'monitoring.running.thinking', defaultMessage: 'Thinking' }),
    writing: t({ id: 'monitoring.running.writing', defaultMessage: 'Writing' }),
  };
  const since = t({ id: 'monitoring.running.since', defaultMessage: 'Asked at {time}' }, { time: exact(queuedAt) });
  return (
    <span className={table.state} title={since}>
      <StatusShape kind={state === null ? 'off' : state === 'queued' ? 'waiting' : 'running'} />
      {state === null ? t({ id: 'monitoring.running.unknown', defaultMessage: 'Not known now' }) : words[state]}
    </span>
  );
}

/** What was written is kept, and its asker can go on from it: nothing is lost that one would have to ask about. */
function StopButton({ item: { generationId, person } }: { item: RunningAnswer }) {
  const { t } = useText();
  const client = useQueryClient();
  const showError = useErrorToast();
  const off = useActionOff();
  const orgId = useTab().organisation.id;
  const stop = useMutation({
    mutationFn: () =>
      api('POST /api/chat/running-answers/:generationId/stop', { orgId, params: { generationId }, retries: 2 }),
    onError: showError,
    onSettled: () => client.invalidateQueries({ queryKey: resourceKey('running-answers', orgId) }),
  });
  const isBusy = stop.isPending || stop.isSuccess;
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Square size={10} fill="currentColor" strokeWidth={2} />}
      aria-label={
        person
          ? t({ id: 'monitoring.running.stopOf', defaultMessage: 'Stop the answer for {name}' }, { name: person.name })
          : t({ id: 'monitoring.running.stopThis', defaultMessage: 'Stop this answer' })
      }
      disabled={isBusy}
      onClick={() => stop.mutate()}
      {...off}
    >
      {isBusy
        ? t({ id: 'monitoring.running.stopping', defaultMessage: 'Stopping' })
        : t({ id: 'monitoring.running.stop', defaultMessage: 'Stop' })}
    </Button>
  );
}
