import { NativeSelect } from '@mantine/core';
import type { ChatbotId, ChatbotTests } from '@parley/contracts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useSetGate } from '../state/tests.ts';

/** How many tests have to pass on a draft before it can be published. */
export function GateField({ chatbotId, tests }: { chatbotId: ChatbotId; tests: ChatbotTests }) {
  const { t } = useText();
  const off = useActionOff();
  const mayChange = useRight('chatbot:publish');
  const save = useSetGate(chatbotId);
  const least = tests.gate?.least ?? 0;
  const all = Math.max(tests.items.length, least);
  const data = [
    { value: '0', label: t({ id: 'studio.gate.none', defaultMessage: 'No test has to pass' }) },
    ...Array.from({ length: all }, (_unused, at) => all - at).map((count) => ({
      value: String(count),
      label: t(
        { id: 'studio.gate.least', defaultMessage: 'At least {count} of {all} have to pass' },
        { count: String(count), all: String(tests.items.length) },
      ),
    })),
  ];
  return (
    <>
      <NativeSelect
        label={t({ id: 'studio.gate.label', defaultMessage: 'Before publishing' })}
        description={
          mayChange
            ? t({ id: 'studio.gate.about', defaultMessage: 'Counted on the very draft that is to be published.' })
            : t({ id: 'studio.gate.locked', defaultMessage: 'People who can publish chatbots can change it.' })
        }
        value={String(least)}
        disabled={!mayChange || off !== null || save.isPending}
        data={data}
        onChange={({ currentTarget: { value } }) =>
          save.mutate({ was: tests.gate, gate: value === '0' ? null : { least: Number(value) } })
        }
      />
      <ErrorNote error={save.error} />
    </>
  );
}
