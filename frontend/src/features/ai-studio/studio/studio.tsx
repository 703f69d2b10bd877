import { ArrowLeft, SearchX } from 'lucide-react';
import type { ChatbotDraft, ChatbotId } from '@parley/contracts';
import { Link } from 'react-router-dom';
import { isProblem } from '../../../lib/http.ts';
import { useText } from '../../../lib/text.ts';
import { useVersionName } from '../../../domain/chatbot/use-version-name.ts';
import { useMediaQuery } from '../../../lib/use-media-query.ts';
import { BotMark } from '../../../domain/picture/avatar.tsx';
import { FailureView } from '../../../ui/failure-view.tsx';
import { glyphs } from '../../../ui/glyph.ts';
import { IconLink } from '../../../ui/icon-button.tsx';
import { Page } from '../../../ui/page.tsx';
import { PageTabs } from '../../../ui/page-tabs.tsx';
import { SkeletonRows, StateView } from '../../../ui/state-view.tsx';
import { TitleChip } from '../../../ui/title-chip.tsx';
import { nextNumber, useDraft, useTests } from '../state/queries.ts';
import { useDraftEditing, type DraftEditing } from '../state/use-draft-editing.ts';
import { useStudioPlace, type Side } from '../state/use-studio-place.ts';
import { ConflictNote } from '../draft/conflict-note/index.tsx';
import { DraftParts } from '../draft/draft-parts/index.tsx';
import { PublishButton, useHindrance } from '../versions/publish-button/index.tsx';
import { SaveStatus } from '../draft/save-status/index.tsx';
import { TestsTab } from '../tests/tests-tab.tsx';
import { TryTab } from '../try/try-tab.tsx';
import { VersionsTab } from '../versions/versions-tab.tsx';
import classes from './studio.module.css';

/** One chatbot: its draft, and beside it what it answers, its tests or its versions. */
export function Studio({ chatbotId }: { chatbotId: ChatbotId }) {
  const { t } = useText();
  const { data, error, refetch } = useDraft(chatbotId);
  if (data) return <Editor draft={data} />;
  const title = t({ id: 'studio.page.title', defaultMessage: 'AI Studio' });
  return (
    <Page title={title} before={<Back />}>
      {isProblem(error, 'chat.chatbot-not-found') ? (
        <Gone />
      ) : error ? (
        <FailureView
          title={t({ id: 'studio.bot.failed', defaultMessage: 'The chatbot could not be loaded' })}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <SkeletonRows label={t({ id: 'studio.bot.loading', defaultMessage: 'The chatbot is loading' })} />
      )}
    </Page>
  );
}

function Editor({ draft }: { draft: ChatbotDraft }) {
  const { t } = useText();
  const editing = useDraftEditing(draft);
  const { tab: wanted } = useStudioPlace();
  const isNarrow = useMediaQuery('(max-width: 899px)');
  const side = wanted === 'edit' && !isNarrow ? 'try' : wanted;
  const { name, glyph } = editing.content;
  const isDraftThere = isNarrow ? side === 'edit' : side !== 'versions';
  const shownName = name.trim() || t({ id: 'studio.bot.unnamed', defaultMessage: 'Without a name' });
  return (
    <Page
      title={<DraftTitle name={shownName} draft={draft} />}
      documentTitle={shownName}
      before={
        <>
          <Back />
          <BotMark icon={glyphs[glyph]} />
        </>
      }
      actions={
        <>
          <SaveStatus draft={draft} editing={editing} />
          <PublishButton draft={draft} editing={editing} />
        </>
      }
    >
      {isNarrow ? (
        <>
          <SideTabs draft={draft} current={side} isNarrow />
          <Hindrance draft={draft} editing={editing} />
        </>
      ) : null}
      {editing.conflict ? <ConflictNote editing={editing} conflict={editing.conflict} /> : null}
      <div className={classes.split} data-narrow={isNarrow || undefined}>
        {isDraftThere ? <DraftParts draft={draft} editing={editing} /> : null}
        {side === 'edit' ? null : (
          <section className={classes.side} data-whole={!isDraftThere || undefined}>
            {isNarrow ? null : <SideTabs draft={draft} current={side} isNarrow={false} />}
            <SideOf side={side} draft={draft} editing={editing} />
          </section>
        )}
      </div>
    </Page>
  );
}

/** Why it cannot be published, where there is no room for that beside the button. */
function Hindrance({ draft, editing }: { draft: ChatbotDraft; editing: DraftEditing }) {
  const { t } = useText();
  const reason = useHindrance(draft, editing);
  if (reason === null || editing.isDirty) return null;
  return (
    <p className={`p-meta ${classes.hindrance}`}>
      {t({ id: 'studio.publish.off', defaultMessage: 'Publish: {reason}' }, { reason })}
    </p>
  );
}

/** Which version is being written, or that what is published is as it is here. */
function DraftTitle({ name, draft: { published, isChanged } }: { name: string; draft: ChatbotDraft }) {
  const { t } = useText();
  const versionName = useVersionName();
  const isLive = published !== null && !isChanged;
  return (
    <TitleChip
      name={name}
      state={{
        kind: isLive ? 'ok' : 'waiting',
        words: isLive
          ? t(
              { id: 'studio.version.live', defaultMessage: '{version}, live' },
              { version: versionName(published.version) },
            )
          : t(
              { id: 'studio.version.draft', defaultMessage: 'Draft {version}' },
              { version: String(nextNumber(published)) },
            ),
      }}
    />
  );
}

function SideOf({ side, draft, editing }: { side: Side; draft: ChatbotDraft; editing: DraftEditing }) {
  if (side === 'tests') return <TestsTab draft={draft} editing={editing} />;
  if (side === 'versions') return <VersionsTab draft={draft} editing={editing} />;
  return <TryTab draft={draft} editing={editing} />;
}

function SideTabs({ draft, current, isNarrow }: { draft: ChatbotDraft; current: Side; isNarrow: boolean }) {
  const { t } = useText();
  const { linkTo } = useStudioPlace();
  const count = useTests(draft.id).data?.items.length ?? 0;
  const edit = t(
    { id: 'studio.tab.edit', defaultMessage: 'Draft {number}' },
    { number: String(nextNumber(draft.published)) },
  );
  const tabs: readonly { key: Side; label: string; count?: number }[] = [
    ...(isNarrow ? [{ key: 'edit' as const, label: edit }] : []),
    { key: 'try', label: t({ id: 'studio.tab.try', defaultMessage: 'Try it' }) },
    { key: 'tests', label: t({ id: 'studio.tab.tests', defaultMessage: 'Test set' }), count },
    { key: 'versions', label: t({ id: 'studio.tab.versions', defaultMessage: 'Versions' }) },
  ];
  return (
    <PageTabs
      label={t({ id: 'studio.tab.label', defaultMessage: 'Beside the draft' })}
      tabs={tabs}
      current={current}
      linkTo={(tab) => linkTo({ tab })}
    />
  );
}

function Back() {
  const { t } = useText();
  const { linkTo } = useStudioPlace();
  const { search } = linkTo({ bot: null });
  return (
    <IconLink
      icon={ArrowLeft}
      isMirrored
      isExact
      label={t({ id: 'studio.bot.back', defaultMessage: 'All chatbots' })}
      to={`?${search}`}
    />
  );
}

function Gone() {
  const { t } = useText();
  const { linkTo } = useStudioPlace();
  return (
    <StateView
      icon={SearchX}
      title={t({ id: 'studio.bot.goneTitle', defaultMessage: 'This chatbot is not there' })}
      actions={
        <Link className="p-link" to={linkTo({ bot: null })}>
          {t({ id: 'studio.bot.back', defaultMessage: 'All chatbots' })}
        </Link>
      }
    >
      {t({ id: 'studio.bot.gone', defaultMessage: 'Somebody has deleted it, or it is another organisation’s.' })}
    </StateView>
  );
}
