import { Button } from '@mantine/core';
import type { Connection } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import { useNext, useReaders, useScheduleNames } from '../connection-words.ts';
import { useUses } from './delete-connection.tsx';
import { SearchTester } from './search-tester.tsx';
import classes from './documents.module.css';

type Props = { connection: Connection; mayManage: boolean; onChange: () => void };

/** Beside its documents: what is read, who may read it, who answers from it, and what a search finds. */
export function ConnectionFacts({ connection, mayManage, onChange }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const title =
    connection.source.kind === 'upload'
      ? t({ id: 'documents.facts.upload', defaultMessage: 'About this connection' })
      : t({ id: 'documents.facts.title', defaultMessage: 'Source and schedule' });
  return (
    <div className={classes.aside}>
      <section aria-label={title}>
        <div className={classes.asideHead}>
          <h3 className="p-h3">{title}</h3>
          {mayManage ? (
            <Button size="xs" variant="subtle" onClick={onChange} {...off}>
              {t({ id: 'documents.facts.change', defaultMessage: 'Change' })}
            </Button>
          ) : null}
        </div>
        <Facts connection={connection} />
      </section>
      {mayManage ? <Uses connection={connection} /> : null}
      {mayManage ? <SearchTester connectionId={connection.id} /> : null}
    </div>
  );
}

function Facts({ connection }: { connection: Connection }) {
  const { t } = useText();
  const { number } = useFormats();
  const readers = useReaders();
  const schedules = useScheduleNames();
  const next = useNext();
  const { source, audience, schedule } = connection;
  const rows: [string, string, boolean?][] = [];
  if (source.kind === 'web')
    rows.push(
      [t({ id: 'documents.facts.start', defaultMessage: 'Starts at' }), source.address, true],
      [t({ id: 'documents.facts.below', defaultMessage: 'Stays below' }), source.below, true],
      [
        t({ id: 'documents.facts.most', defaultMessage: 'At most' }),
        source.start === 'sitemap'
          ? t(
              { id: 'documents.facts.pages', defaultMessage: '{pages, plural, one {# page} other {# pages}}' },
              { pages: source.pages },
            )
          : t(
              {
                id: 'documents.facts.pagesDeep',
                defaultMessage: '{pages, plural, one {# page} other {# pages}}, {depth, number} deep',
              },
              { pages: source.pages, depth: source.depth },
            ),
      ],
    );
  if (source.kind === 'bucket')
    rows.push(
      [t({ id: 'documents.facts.endpoint', defaultMessage: 'Storage' }), source.endpoint, true],
      [t({ id: 'documents.facts.bucket', defaultMessage: 'Bucket' }), `${source.bucket}/${source.prefix}`, true],
    );
  if (source.kind !== 'upload')
    rows.push(
      [t({ id: 'documents.facts.schedule', defaultMessage: 'Synced' }), schedules[schedule]],
      [t({ id: 'documents.connections.next', defaultMessage: 'Next' }), next(connection)],
    );
  rows.push([t({ id: 'documents.connections.readers', defaultMessage: 'Who can read' }), readers(audience)]);
  if (source.kind === 'upload')
    rows.push([
      t({ id: 'documents.connections.documents', defaultMessage: 'Documents' }),
      number(connection.documents.all),
    ]);
  return (
    <dl className={`p-facts p-sm ${classes.facts}`}>
      {rows.map(([name, value, isCode]) => (
        <Fact key={name} name={name} value={value} isCode={isCode === true} />
      ))}
    </dl>
  );
}

function Fact({ name, value, isCode }: { name: string; value: string; isCode: boolean }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <bdi dir={isCode ? 'ltr' : undefined}>{value}</bdi>
      </dd>
    </>
  );
}

/** Which chatbots answer from it. */
function Uses({ connection }: { connection: Connection }) {
  const { t } = useText();
  const uses = useUses(connection, true);
  const title = t({ id: 'documents.uses.title', defaultMessage: 'Used by chatbots' });
  if (!uses) return null;
  return (
    <section aria-label={title}>
      <h3 className="p-h3">{title}</h3>
      <ul className={`p-sm ${classes.uses}`}>
        {uses.items.map(({ id, name }) => (
          <li key={id}>
            <bdi>{name}</bdi>
          </li>
        ))}
        {uses.everywhere > 0 ? (
          <li className="p-quiet">
            {t(
              {
                id: 'documents.uses.everywhere',
                defaultMessage:
                  '{count, plural, one {# chatbot that looks into all connections} other {# chatbots that look into all connections}}',
              },
              { count: uses.everywhere },
            )}
          </li>
        ) : null}
        {uses.items.length === 0 && uses.everywhere === 0 ? (
          <li className="p-quiet">{t({ id: 'documents.uses.none', defaultMessage: 'None yet.' })}</li>
        ) : null}
      </ul>
    </section>
  );
}
