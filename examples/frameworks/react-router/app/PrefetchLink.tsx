/** A link that fetches what its page reads when the pointer comes near, or when it gets the focus. */
import { Link, type LinkProps } from 'react-router';

export function PrefetchLink({ prefetchData, ...props }: LinkProps & { prefetchData: () => void }) {
  return <Link {...props} onMouseEnter={prefetchData} onFocus={prefetchData} />;
}
