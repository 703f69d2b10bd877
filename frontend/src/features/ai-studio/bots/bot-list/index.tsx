import type { ChatbotSummary } from '@parley/contracts';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useFormats } from '../../../../lib/formats.ts';
import { lazyPart } from '../../../../lib/lazy-part.tsx';
import { useRight } from '../../../../lib/tab-organisation.tsx';
import { useText } from '../../../../lib/text.ts';
import { BotMark } from '../../../../domain/picture/avatar.tsx';
import { FailureView } from '../../../../ui/failure-view.tsx';
import { glyphs } from '../../../../ui/glyph.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { ListTable, Status } from '../../../../ui/list-table.tsx';
import { SkeletonRows } from '../../../../ui/state-view.tsx';
import { useActionOff } from '../../../../ui/stale.tsx';
import { useToast } from '../../../../ui/toast.tsx';
import table from '../../../../ui/table.module.css';
import { useDelete, useDrafts } from '../../state/queries.ts';
import { useStudioPlace } from '../../state/use-studio-place.ts';
import { TemplateList } from '../template-list/index.tsx';
import classes from './bot-list.module.css';

const ConfirmDialog = lazyPart(async () => (await import('../../../../ui/confirm-dialog.tsx')).ConfirmDialog);

/** All chatbots; while there is only the default one, templates to begin with stand below it. */
export function BotList() {
  const { t } = useText();
  const { data, error, refetch } = useDrafts();
  const { go } = useStudioPlace();
  const [deleted, setDeleted] = useState<ChatbotSummary | null>(null);
  if (error && !data)
    return (
      <FailureView
        title={t({ id: 'studio.list.failed', defaultMessage: 'The chatbots could not be loaded' })}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!data)
    return <SkeletonRows label={t({ id: 'studio.list.loading', defaultMessage: 'The chatbots are loading' })} />;
  const { items } = data;
  return (
    <>
      <Table items={items} onDelete={setDeleted} />
      {items.length > 1 ? (
        <p className={table.foot}>
          {t(
            { id: 'studio.list.count', defaultMessage: '{count, plural, one {# chatbot} other {# chatbots}}' },
            { count: items.length },
          )}
        </p>
      ) : (
        <section className={classes.beginning}>
          <h2 className="p-h3">{t({ id: 'studio.list.emptyTitle', defaultMessage: 'Make a chatbot of your own' })}</h2>
          <p className="p-sm p-quiet">
            {t({
              id: 'studio.list.emptyAbout',
              defaultMessage:
                'It has instructions, knowledge and people of its own. Begin with a template; nobody can use it before you publish it.',
            })}
          </p>
          <TemplateList onMade={(id) => go({ bot: id })} />
        </section>
      )}
      {deleted ? <DeleteBot bot={deleted} onClose={() => setDeleted(null)} /> : null}
    </>
  );
}

function Table({ items, onDelete }: { items: readonly ChatbotSummary[]; onDelete: (bot: ChatbotSummary) => void }) {
  const { t } = useText();
  const columns = [
    { key: 'name', label: t({ id: 'studio.column.name', defaultMessage: 'Chatbot' }) },
    { key: 'state', label: t({ id: 'studio.column.state', defaultMessage: 'State' }) },
    { key: 'version', label: t({ id: 'studio.column.version', defaultMessage: 'Version' }), isFigure: true },
    { key: 'edited', label: t({ id: 'studio.column.edited', defaultMessage: 'Edited' }) },
    { key: 'actions', label: t({ id: 'studio.column.actions', defaultMessage: 'Actions' }), isHidden: true },
  ];
  return <ListTable columns={columns} items={items} cells={(bot) => <Cells bot={bot} onDelete={onDelete} />} />;
}

function Cells({ bot, onDelete }: { bot: ChatbotSummary; onDelete: (bot: ChatbotSummary) => void }) {
  const { t } = useText();
  const { number } = useFormats();
  const { linkTo } = useStudioPlace();
  const off = useActionOff();
  const mayDelete = useRight('chatbot:publish') && !bot.isDefault;
  return (
    <>
      <td>
        <span className={table.named}>
          <BotMark icon={glyphs[bot.glyph]} />
          <span>
            <Link className={classes.open} to={linkTo({ bot: bot.id })}>
              <bdi>{bot.name}</bdi>
            </Link>
            <span className={table.second}>
              {bot.isDefault
                ? t({ id: 'studio.list.default', defaultMessage: 'For anything: what answers without a choice' })
                : bot.audience === 'everybody'
                  ? t({ id: 'studio.audience.everybody', defaultMessage: 'Everybody' })
                  : t({ id: 'studio.audience.some', defaultMessage: 'Some people' })}
            </span>
          </span>
        </span>
      </td>
      <td>
        <BotState bot={bot} />
      </td>
      <td className={table.figure} data-label={t({ id: 'studio.column.version', defaultMessage: 'Version' })}>
        {bot.publishedVersion ? number(bot.publishedVersion) : '–'}
      </td>
      <td className={table.quiet}>
        <Edited bot={bot} />
      </td>
      <td className={table.actions}>
        {mayDelete ? (
          <IconButton
            className={table.onHover}
            icon={Trash2}
            label={t({ id: 'studio.list.delete', defaultMessage: 'Delete {name}' }, { name: bot.name })}
            onClick={() => onDelete(bot)}
            {...off}
          />
        ) : null}
      </td>
    </>
  );
}

function BotState({ bot: { publishedVersion, isChanged } }: { bot: ChatbotSummary }) {
  const { t } = useText();
  const [kind, words] =
    publishedVersion === null
      ? (['waiting', t({ id: 'studio.state.draft', defaultMessage: 'Draft' })] as const)
      : isChanged
        ? (['new', t({ id: 'studio.state.changed', defaultMessage: 'Published, changed since' })] as const)
        : (['ok', t({ id: 'studio.state.published', defaultMessage: 'Published' })] as const);
  return <Status kind={kind}>{words}</Status>;
}

function Edited({ bot: { editedAt, editedBy } }: { bot: ChatbotSummary }) {
  const { t, rich } = useText();
  const { ago, exact } = useFormats();
  if (!editedAt) return t({ id: 'studio.list.never', defaultMessage: 'As it began' });
  return (
    <span title={exact(editedAt)}>
      {rich(
        { id: 'studio.list.edited', defaultMessage: '{when} by {name}' },
        { when: ago(editedAt), name: <bdi key="name">{editedBy?.name}</bdi> },
      )}
    </span>
  );
}

function DeleteBot({ bot, onClose }: { bot: ChatbotSummary; onClose: () => void }) {
  const { t } = useText();
  const toast = useToast();
  const remove = useDelete();
  const { name } = bot;
  const confirm = () =>
    remove.mutate(bot.id, {
      onSuccess: () => {
        toast({ text: t({ id: 'studio.delete.done', defaultMessage: '{name} is deleted' }, { name }) });
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title={t({ id: 'studio.delete.title', defaultMessage: 'Delete {name}?' }, { name })}
      confirm={t({ id: 'studio.delete.confirm', defaultMessage: 'Delete chatbot' })}
      act={remove}
      onConfirm={confirm}
      onClose={onClose}
    >
      {t({
        id: 'studio.delete.about',
        defaultMessage:
          'Nobody can use it any more, and its versions, tests and their runs go with it. What it has answered stays in the chats. This cannot be undone.',
      })}
    </ConfirmDialog>
  );
}
