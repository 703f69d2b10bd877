import { ChevronsUpDown, Globe, Zap } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router-dom';
import { isLocale, locales } from '../lib/locale.ts';
import { useText } from '../lib/text.ts';
import { BotMark, PersonAvatar } from '../domain/picture/avatar.tsx';
import { Brand } from '../ui/brand.tsx';
import { VisitorAsideContext } from '../ui/visitor-aside.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { useLocale } from '../lib/paths.ts';
import classes from './visitor-frame.module.css';

/** Sign-in, register and the first organisation: one sheet, and beside it what the product is about. */
export function VisitorFrame({ children }: { children?: ReactNode }) {
  const [host, setHost] = useState<HTMLElement | null>(null);
  const [isTaken, setTaken] = useState(false);
  const aside = useMemo(() => ({ host, setTaken }), [host]);
  return (
    <div className={classes.frame}>
      <div className={classes.sheet}>
        <header className={classes.head}>
          <Brand />
        </header>
        <main className={classes.main}>
          <div className={classes.form}>
            <VisitorAsideContext value={aside}>
              <ErrorBoundary>{children ?? <Outlet />}</ErrorBoundary>
            </VisitorAsideContext>
          </div>
        </main>
        <footer className={classes.foot}>
          <LanguageSelect />
          <span className="p-meta" dir="ltr">
            {location.host}
          </span>
        </footer>
      </div>
      <aside ref={setHost} className={classes.beside} hidden={!isTaken} />
      {isTaken ? null : <Sample />}
    </div>
  );
}

function LanguageSelect() {
  const { t } = useText();
  const locale = useLocale();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return (
    <span className={classes.language}>
      <Globe />
      <select
        aria-label={t({ id: 'language.select.label', defaultMessage: 'Language' })}
        value={locale}
        onChange={({ currentTarget: { value } }) => {
          if (isLocale(value)) void navigate(pathname.replace(/^\/[^/]+/, `/${value}`) + search, { replace: true });
        }}
      >
        {locales.map((entry) => (
          <option key={entry.locale} value={entry.locale} lang={entry.locale}>
            {entry.name}
          </option>
        ))}
      </select>
      <ChevronsUpDown size={14} className={classes.chevrons} />
    </span>
  );
}

/** A picture in words; screen readers skip it. */
function Sample() {
  const { t } = useText();
  const names = {
    asker: t({ id: 'visitor.sample.asker', defaultMessage: 'Tomas' }),
    bot: t({ id: 'visitor.sample.bot', defaultMessage: 'Grid Engineer' }),
    colleague: t({ id: 'visitor.sample.colleague', defaultMessage: 'Noor' }),
  };
  return (
    <aside className={classes.sample} aria-hidden="true">
      <div className={classes.turn}>
        <PersonAvatar id="usr_3" name="Tomas Brekhold" />
        <div>
          <b>{names.asker}</b>
          <p className={classes.speech}>
            {t({ id: 'visitor.sample.question', defaultMessage: 'What changed on the VPN last night?' })}
          </p>
        </div>
      </div>
      <div className={classes.turn}>
        <span className={classes.bot}>
          <BotMark icon={Zap} />
          <i className={classes.spine} />
        </span>
        <div>
          <b>{names.bot}</b>
          <p className={classes.answer}>
            {t({ id: 'visitor.sample.answerFirst', defaultMessage: 'The issuing certificate was replaced at 22:00.' })}{' '}
            <i className={classes.cite}>1</i>{' '}
            {t({
              id: 'visitor.sample.answerSecond',
              defaultMessage: 'Laptops older than 5.4 keep the old chain for a day.',
            })}{' '}
            <i className={classes.cite}>2</i>
          </p>
        </div>
      </div>
      <div className={classes.turn}>
        <PersonAvatar id="usr_1" name="Noor Halvani" />
        <div>
          <b>{names.colleague}</b>
          <p className={classes.speech}>
            {t({ id: 'visitor.sample.reply', defaultMessage: 'I’ll tell the field teams.' })}
          </p>
        </div>
      </div>
    </aside>
  );
}
