import { ChevronRight } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import { useVersionName } from '../../../domain/chatbot/use-version-name.ts';
import type { Answer } from '../../../lib/http.ts';
import { BotMark } from '../../../domain/picture/avatar.tsx';
import { FailureView } from '../../../ui/failure-view.tsx';
import { glyphs } from '../../../ui/glyph.ts';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { SkeletonRows } from '../../../ui/state-view.tsx';
import classes from '../feedback.module.css';
import { useCounts } from '../use-cases.ts';
import { shareOf, type Counted } from '../wilson.ts';

const shownDays = 30;
type Counts = Answer<'GET /api/chat/feedback-counts'>;

/** The share of good answers in all, and by chatbot and version. */
export function CountsPanel({ onClose }: { onClose?: () => void }) {
  const { t } = useText();
  const title = t(
    { id: 'feedback.counts.title', defaultMessage: 'Good answers, last {days, number} days' },
    { days: shownDays },
  );
  const { data, error, refetch } = useCounts(shownDays);
  const body = data ? (
    <Parts counts={data} />
  ) : error ? (
    <FailureView
      title={t({ id: 'feedback.counts.failed', defaultMessage: 'The counts could not be loaded' })}
      error={error}
      onRetry={() => void refetch()}
    />
  ) : (
    <SkeletonRows count={3} label={t({ id: 'feedback.counts.loading', defaultMessage: 'The counts are loading' })} />
  );
  if (onClose)
    return (
      <SidePanel title={title} onClose={onClose}>
        {body}
      </SidePanel>
    );
  return (
    <aside className={`${classes.counts} p-data`} aria-label={title}>
      <h2 className="p-h3">{title}</h2>
      {body}
    </aside>
  );
}

/** The whole in one line, where there is no room for more. */
export function CountsStrip({ onOpen }: { onOpen: (() => void) | null }) {
  const { t } = useText();
  const { data } = useCounts(shownDays);
  if (!data || data.up + data.down === 0) return null;
  const inside = (
    <>
      <span>
        {t({ id: 'feedback.counts.short', defaultMessage: 'Good answers, {days, number} days' }, { days: shownDays })}
      </span>
      <Bar counted={data} />
      <Told counted={data} />
    </>
  );
  if (!onOpen) return <div className={classes.strip}>{inside}</div>;
  return (
    <button type="button" className={classes.strip} onClick={onOpen}>
      {inside}
      <ChevronRight className="p-mirror" />
    </button>
  );
}

function Parts({ counts }: { counts: Counts }) {
  const { t } = useText();
  const percent = usePercent();
  const share = shareOf(counts);
  const count = counts.up + counts.down;
  return (
    <>
      <p className={classes.whole}>
        <b className={classes.figure}>{share ? percent(share.share) : '–'}</b>{' '}
        <span className="p-sm p-quiet">
          {share
            ? t(
                { id: 'feedback.counts.range', defaultMessage: 'of {count, number} ratings, {low} to {high}' },
                { count, low: percent(share.low), high: percent(share.high) },
              )
            : t(
                {
                  id: 'feedback.counts.few',
                  defaultMessage: '{count, plural, =0 {no ratings} one {# rating} other {# ratings}}: too few to tell',
                },
                { count },
              )}
        </span>
      </p>
      {counts.chatbots.map(({ id, name, glyph, versions }) => (
        <section key={id} className={classes.bot} aria-label={name}>
          <h3 className={`p-sm ${classes.botName}`}>
            <BotMark icon={glyphs[glyph]} size={22} />
            <bdi>{name}</bdi>
          </h3>
          <ul className={classes.versions}>
            {versions.map((one) => (
              <li key={one.version}>
                <Version {...one} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {count > 0 ? <Legend isCut={counts.isCut} /> : null}
    </>
  );
}

function Version({ version, up, down }: Counts['chatbots'][number]['versions'][number]) {
  const { t, intl } = useText();
  const versionName = useVersionName();
  const percent = usePercent();
  const count = up + down;
  const share = shareOf({ up, down });
  return (
    <span
      className={classes.version}
      title={
        share
          ? t(
              { id: 'feedback.counts.range', defaultMessage: 'of {count, number} ratings, {low} to {high}' },
              { count, low: percent(share.low), high: percent(share.high) },
            )
          : undefined
      }
    >
      <span className={classes.versionName}>
        {version === 0 ? (
          versionName(version)
        ) : (
          <>
            <span aria-hidden="true">{intl.formatNumber(version)}</span>
            <span className="p-hidden">{versionName(version)}</span>
          </>
        )}
      </span>
      <span className={classes.ratings}>
        {t(
          { id: 'feedback.counts.ratings', defaultMessage: '{count, plural, one {# rating} other {# ratings}}' },
          { count },
        )}
      </span>
      <Bar counted={{ up, down }} />
      <Told counted={{ up, down }} isShort />
    </span>
  );
}

/** Good and bad side by side; where there are too few, as thin as they say little. */
function Bar({ counted: { up, down } }: { counted: Counted }) {
  const isTold = shareOf({ up, down }) !== null;
  return (
    <span className={classes.bar} data-few={!isTold || undefined} aria-hidden="true">
      <i className={classes.good} style={{ flexGrow: up }} />
      <i className={classes.bad} style={{ flexGrow: down }} />
    </span>
  );
}

function Told({ counted, isShort = false }: { counted: Counted; isShort?: boolean }) {
  const { t } = useText();
  const percent = usePercent();
  const share = shareOf(counted);
  if (!share)
    return (
      <span className={classes.few}>{t({ id: 'feedback.counts.tooFew', defaultMessage: 'too few to tell' })}</span>
    );
  return (
    <span className={classes.share}>
      {isShort
        ? percent(share.share)
        : t(
            { id: 'feedback.counts.of', defaultMessage: '{share} of {count, number}' },
            { share: percent(share.share), count: counted.up + counted.down },
          )}
    </span>
  );
}

function Legend({ isCut }: { isCut: boolean }) {
  const { t } = useText();
  return (
    <p className={`p-meta ${classes.legend}`}>
      <span className={classes.key}>
        <i className={classes.good} /> {t({ id: 'feedback.counts.good', defaultMessage: 'good' })}
      </span>
      <span className={classes.key}>
        <i className={classes.bad} /> {t({ id: 'feedback.counts.bad', defaultMessage: 'bad' })}
      </span>
      <span>
        {t({
          id: 'feedback.counts.about',
          defaultMessage: 'The range holds the true share in 95 of 100 cases. Fewer than 20 ratings tell too little.',
        })}{' '}
        {isCut
          ? t({
              id: 'feedback.counts.cut',
              defaultMessage: 'More was rated than is added up: the earliest days are missing.',
            })
          : null}
      </span>
    </p>
  );
}

function usePercent() {
  const { intl } = useText();
  // Kept together where the script around it runs the other way.
  return (value: number) => `\u2068${intl.formatNumber(value, { style: 'percent' })}\u2069`;
}
