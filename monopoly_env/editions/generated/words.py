"""Word lists for the names of generated editions: plain English, no trademarks."""

from __future__ import annotations

# First words of streets and stations; each is used only once per edition
FIRST = tuple(
    (
        "Acorn Alder Almond Amber Anchor Anvil Apple Arrow Ash Aspen Badger Banner Barley Basil "
        "Beacon Beaver Bell Birch Bison Bramble Brass Briar Bronze Bugle Candle Canvas Cedar "
        "Cherry Clay Clover Cobble Copper Coral Cotton Crane Cricket Crystal Curlew Daisy Damson "
        "Dove Drum Ember Falcon Fennel Fern Fiddle Finch Flax Flint Fox Garnet Ginger Granite Gull "
        "Hare Hazel Heather Hedge Heron Holly Honey Hornbeam Ivy Jasmine Juniper Kestrel Kettle "
        "Kite Ladder Lantern Lark Laurel Lemon Lily Linden Linen Lynx Magpie Maple Marble Marigold "
        "Mint Moss Mulberry Needle Nettle Nutmeg Oak Olive Opal Orchid Otter Owl Pebble Pepper "
        "Pine Plover Plum Poplar Poppy Quail Quartz Quince Raven Reed Robin Rosemary Rowan Saddle "
        "Saffron Sage Sparrow Spruce Starling Swallow Swan Sycamore Tansy Teal Thistle Thrush "
        "Thyme Tulip Vine Violet Walnut Wheat Willow Wren Yarrow"
    ).split()
)
STREETS = tuple("Alley Bank Close Court Cross Hill Lane Mews Rise Row Street Terrace Walk".split())
# Color groups are named after quarters of a town
QUARTERS = tuple(
    (
        "abbey bazaar bridge castle citadel cloister dockside foundry garden harbor island "
        "market meadow mill old-town orchard quarry riverside theater university vineyard"
    ).split()
)
# Railroads: the name of the group, and the last word of each name
STATIONS = (
    ("stations", "Station"),
    ("ferries", "Ferry"),
    ("tramways", "Tramway"),
    ("airfields", "Airfield"),
    ("canals", "Canal"),
)
UTILITY_GROUPS = ("works", "services", "suppliers")
UTILITIES = tuple(
    "Gas Works,Telegraph Office,Ice House,Brick Works,Lighthouse,Post Office,Coal Yard,Pump House,"
    "Paper Mill,Wind Farm,Salt Works,Observatory".split(",")
)
TAXES = tuple(
    "Window Levy,Road Toll,Bridge Toll,Harbor Dues,Hearth Levy,Salt Duty,Carriage Duty,Fence Levy,"
    "Lamp Levy,Market Dues".split(",")
)
CURRENCIES = (
    ("crowns", "kr "),
    ("florins", "fl "),
    ("marks", "mk "),
    ("ducats", "dt "),
    ("talers", "tl "),
    ("shells", "sh "),
    ("pearls", "pl "),
)
BUILDINGS = (
    (("cottage", "cottages"), ("tavern", "taverns")),
    (("stall", "stalls"), ("bazaar", "bazaars")),
    (("shed", "sheds"), ("workshop", "workshops")),
    (("tent", "tents"), ("pavilion", "pavilions")),
    (("hut", "huts"), ("tower", "towers")),
)
PILES = (
    ("Fortune", "Town Purse"),
    ("Rumor", "Guild Box"),
    ("Weather", "Common Fund"),
    ("Surprise", "Parish Box"),
    ("Fate", "Village Pot"),
)
JAIL_CARDS = ("Pardon", "Release Letter", "Jail Pass", "Bail Bond")
TOKENS = tuple(
    "acorn bell button candle drum feather key kite lantern leaf marble pebble ribbon spoon star "
    "whistle".split()
)

# Reasons for payments, by kind of card; the amount follows
GAINS = tuple(
    (
        "A good harvest,An old loan comes back,First prize at the fair,A painting is sold,"
        "Your song is played everywhere,Found on the beach,A grateful guest,Wages from the mill,"
        "Honey sells well,A patent is granted,Interest on savings,Wool fetches a high price,"
        "The lottery of the guild,A bridge toll is refunded"
    ).split(",")
)
COSTS = tuple(
    (
        "A storm takes the roof,A lost wager,New boots,A horse is shod,The well runs dry,"
        "A broken window,A lawyer's letter,Fence posts,A feast for the neighbors,A sick cow,"
        "Firewood for the winter,A torn sail"
    ).split(",")
)
GAINS_OF_EACH = ("You sing at the inn", "Your cart carries everyone", "You win at skittles")
COSTS_OF_EACH = ("You lose at cards", "You stand a round", "You dented every cart")
REPAIRS = ("After the flood", "The inspector calls", "Frost damage", "Woodworm")
MOVES = ("Travel to", "Hurry to", "A carriage takes you to", "Deliver a parcel to", "Walk on to")
