import { useText } from '../../lib/text.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Note } from '../../ui/note.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusShape } from '../../ui/status-shape.tsx';
import classes from './error-test.module.css';
import { TestButtons } from './test-buttons.tsx';
import { TestResults } from './test-results.tsx';
import { useErrorTests, useTrigger } from './use-error-tests.ts';

/** Makes real errors, and shows whether their reports arrive. */
export function ErrorTestPage() {
  const { t } = useText();
  const { data } = useErrorTests();
  const { mutate, isPending, variables, error, thrown } = useTrigger();
  if (thrown) throw thrown;
  const title = t({ id: 'errorTest.page.title', defaultMessage: 'Error test' });
  const isCollected = data?.sink !== 'dsn';
  return (
    <Page
      title={title}
      actions={
        <span className={classes.sink}>
          <StatusShape kind={isCollected ? 'ok' : 'off'} />
          <span className={classes.sinkWords}>
            {isCollected
              ? t(
                  { id: 'errorTest.sink.collector', defaultMessage: 'Parley’s own collector, release {release}' },
                  { release: __RELEASE__ },
                )
              : t({ id: 'errorTest.sink.dsn', defaultMessage: 'Reports go to the receiver that the settings name' })}
          </span>
        </span>
      }
    >
      <div className={classes.about}>
        <Note kind="info">
          {t({
            id: 'errorTest.page.about',
            defaultMessage: 'Each button makes one real error, marked as a test. Each use is kept with your name.',
          })}
        </Note>
        <ErrorNote error={error} />
      </div>
      <div className={classes.split}>
        <TestButtons onTrigger={mutate} busy={isPending ? variables : null} />
        <TestResults items={data?.items ?? []} isCollected={isCollected} />
      </div>
    </Page>
  );
}
