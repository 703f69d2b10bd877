import { Button } from '@mantine/core';
import type { ListedErrorTest } from '@parley/contracts';
import { useState } from 'react';
import { readStored, writeStored } from '../../lib/stored.ts';
import { useText } from '../../lib/text.ts';
import { ListTable, type Column } from '../../ui/list-table.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { FlaskConical } from 'lucide-react';
import classes from './error-test.module.css';
import { TestCells } from './test-cells.tsx';

const clearedKey = 'parley.error-tests-cleared';

/** What became of each test of this day; cleared ones are hidden in this tab. */
export function TestResults({ items, isCollected }: { items: readonly ListedErrorTest[]; isCollected: boolean }) {
  const { t } = useText();
  const [cleared, setCleared] = useState(() => readStored<string>('session', clearedKey) ?? '');
  const [open, setOpen] = useState<string | null>(null);
  const shown = items.filter(({ at }) => at > cleared);
  const columns: Column[] = [
    { key: 'test', label: t({ id: 'errorTest.column.test', defaultMessage: 'Test' }) },
    { key: 'event', label: t({ id: 'errorTest.column.event', defaultMessage: 'Event' }) },
    { key: 'trace', label: t({ id: 'errorTest.column.trace', defaultMessage: 'Trace' }) },
    { key: 'collector', label: t({ id: 'errorTest.column.collector', defaultMessage: 'Collector' }) },
    { key: 'after', label: t({ id: 'errorTest.column.after', defaultMessage: 'After' }), isFigure: true },
    { key: 'at', label: t({ id: 'errorTest.column.at', defaultMessage: 'At' }), isFigure: true },
  ];
  const clear = () => {
    const latest = items[0]?.at ?? '';
    writeStored('session', clearedKey, latest);
    setCleared(latest);
  };
  return (
    <section className={classes.results} aria-labelledby="test-results">
      <header className={classes.resultsHead}>
        <h2 id="test-results" className="p-h3">
          {t({ id: 'errorTest.results.title', defaultMessage: 'Results' })}
        </h2>
        <Button variant="subtle" size="xs" onClick={clear} disabled={shown.length === 0}>
          {t({ id: 'errorTest.results.clear', defaultMessage: 'Clear' })}
        </Button>
      </header>
      {shown.length === 0 ? (
        <StateView icon={FlaskConical} title={t({ id: 'errorTest.results.empty', defaultMessage: 'No tests yet' })}>
          {t({
            id: 'errorTest.results.emptyText',
            defaultMessage: 'Trigger an error: here you see whether its report arrives, and after how long.',
          })}
        </StateView>
      ) : (
        <ListTable
          columns={columns}
          items={shown}
          isCurrent={({ id }) => id === open}
          cells={(test) => (
            <TestCells
              test={test}
              isCollected={isCollected}
              isOpen={open === test.id}
              onToggle={() => setOpen(open === test.id ? null : test.id)}
            />
          )}
        />
      )}
    </section>
  );
}
