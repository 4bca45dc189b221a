/** A snapshot in which some objects are not there: what a check judges fewer of, are these. */
import { isSameObject, reference } from './reference.ts';
import type { ObjectReference } from './result.ts';
import type { Listing, Listings, Snapshot } from './snapshot.ts';

export function without(snapshot: Snapshot, absent: readonly ObjectReference[]): Snapshot {
  const listings = Object.entries(snapshot.listings).map(([kind, listing]) => [
    kind,
    thinned(listing, absent),
  ]);
  return { ...snapshot, listings: Object.fromEntries(listings) as Listings }; // kind by kind
}

function thinned(listing: Listing, absent: readonly ObjectReference[]): Listing {
  if (listing.state !== 'read') return listing;
  const objects = listing.objects.filter(
    (object) => !absent.some((one) => isSameObject(one, reference(object))),
  );
  return { ...listing, objects };
}
