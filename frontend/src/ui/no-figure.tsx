/** Shows a dash instead of a figure. The tooltip and screen readers say why there is none. */
export function NoFigure({ children }: { children: string }) {
  return (
    <span title={children}>
      <span aria-hidden="true">–</span>
      <span className="p-hidden">{children}</span>
    </span>
  );
}
