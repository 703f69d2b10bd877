import { useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { NearProvider, useNear } from '../../ui/near.tsx';

/**
 * Renders a long list for the browser test of `near.tsx`: jsdom has no layout. With `?next=at-once` each entry that
 * is drawn runs the next animation frame immediately, before any other task of the page.
 */
const count = 400;
const heightPx = 40;
/** These are near before the observer has told. */
const startsNear = 10;
const isAtOnce = new URLSearchParams(location.search).get('next') === 'at-once';

const frames: FrameRequestCallback[] = [];
if (isAtOnce) window.requestAnimationFrame = (callback) => frames.push(callback);
const nextFrame = () => frames.splice(0).forEach((callback) => callback(performance.now()));
// The first one comes from outside.
if (isAtOnce) setInterval(nextFrame, 50);

function Entry({ at }: { at: number }) {
  const { ref, isNear, style } = useNear<HTMLDivElement>(at < startsNear);
  return (
    <div ref={ref} data-entry={at} style={{ height: heightPx, ...style }}>
      {`Entry ${at} `}
      {isNear ? <Controls at={at} /> : null}
    </div>
  );
}

/** The costly part of an entry. */
function Controls({ at }: { at: number }) {
  useLayoutEffect(nextFrame, []);
  return <button type="button">{`Act ${at}`}</button>;
}

const scroller = document.body.appendChild(document.createElement('div'));
scroller.id = 'scroller';
Object.assign(scroller.style, { height: '600px', overflowY: 'auto' });
createRoot(scroller).render(
  <NearProvider>
    {Array.from({ length: count }, (_, at) => (
      <Entry key={at} at={at} />
    ))}
  </NearProvider>,
);
